import { jsonProtocol } from '../codec/json-protocol.ts';
import type { OperationSchema } from '../codec/shape.ts';
import { defineOperation, type AwsOperation, type AwsService } from '../service.ts';
import type { EventBus } from './event-bus.ts';
import {
  deleteRule,
  describeRule,
  listRuleNames,
  listRules,
  listTargets,
  putEvents,
  putRule,
  putTargets,
  removeTargets,
  setEnabled,
} from './operations.ts';
import {
  DeleteRule$,
  DescribeRule$,
  DisableRule$,
  EnableRule$,
  ListRuleNamesByTarget$,
  ListRules$,
  ListTargetsByRule$,
  PutEvents$,
  PutRule$,
  PutTargets$,
  RemoveTargets$,
} from './schemas.ts';
import { eventsConstraints, eventsLimits } from './input-limits.ts';

/** EventBridge: the rules of the default bus, and their targets. */
export const eventsService = (bus: EventBus): AwsService => {
  const serve = <Input>(schema: OperationSchema, work: (bus: EventBus, input: Input) => object): AwsOperation =>
    defineOperation(schema, (input: Input) => work(bus, input));
  return {
    name: 'events',
    protocol: jsonProtocol({ version: '1.1' }),
    commonErrors: {
      throttling: { code: 'ThrottlingException', status: 400 },
      accessDenied: { code: 'AccessDeniedException', status: 403 },
    },
    limits: eventsLimits,
    constraints: eventsConstraints,
    operations: [
      serve(PutRule$, putRule),
      serve(DescribeRule$, describeRule),
      serve(ListRules$, listRules),
      serve(EnableRule$, (model, input: object) => setEnabled(model, input, true)),
      serve(DisableRule$, (model, input: object) => setEnabled(model, input, false)),
      serve(DeleteRule$, deleteRule),
      serve(PutTargets$, putTargets),
      serve(RemoveTargets$, removeTargets),
      serve(ListTargetsByRule$, listTargets),
      serve(ListRuleNamesByTarget$, listRuleNames),
      serve(PutEvents$, putEvents),
    ],
  };
};
