import type { Clock, Random, Serving } from '@nodewright/runtime';
import { AwsError } from './codec/aws-error.ts';
import { perKey } from './codec/lazily.ts';
import { structureCopier } from './codec/output-copy.ts';
import {
  inputShape,
  modelledErrorName,
  type OperationSchema,
  operationName,
  outputShape,
  type WireStructure,
} from './codec/shape.ts';
import { serveCall, type ServingDeps } from './serve-call.ts';
import type { AwsService, ServiceName } from './service.ts';

/** A call as the SDK's own types have it. */
export type DirectCall = {
  /** The service as signatures name it, `ec2`. */
  readonly service: string;
  /** `DescribeInstances`. */
  readonly operation: string;
  readonly input: object;
};

/** The answer to a call, as an SDK client reads it from the wire. */
export type DirectAnswer = { readonly requestId: string } & (
  | { readonly kind: 'answered'; readonly output: WireStructure }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      /** HTTP status. */
      readonly status: number;
      /** Further members of the error. */
      readonly details: WireStructure;
    }
);

/** Answers a call of this process. The signal aborts when the caller has given up. */
export type AnswerDirectly = (
  call: DirectCall,
  caller: { readonly signal: AbortSignal; readonly serving: Serving },
) => Promise<DirectAnswer>;

type DirectCallDeps = ServingDeps & {
  readonly clock: Clock;
  readonly random: Random;
  readonly service: (name: ServiceName) => Promise<AwsService>;
};

/**
 * Returns the way into the models for callers of this process: objects instead of bytes.
 *
 * Guarantees: a call is served, refused and recorded as over the wire. Neither side sees later changes of what the other
 * one keeps: input and output are copies with the members that the models name.
 * Assumptions: the caller may do everything, as one with the account's access key may.
 */
export const directCalls =
  (deps: DirectCallDeps): AnswerDirectly =>
  async (call, { signal, serving }) => {
    const service = await deps.service(call.service as ServiceName);
    const requestId = deps.random.uuid();
    const terms = { signal, serving, clock: deps.clock, origin: 'http://in-process.invalid' };
    try {
      const operation = findSchema(service, call.operation);
      const copyInput = service.protocol.hasFormInput ? formInputCopier(operation) : inputCopier(operation);
      const decoded = { operation, input: copyInput(call.input as WireStructure) };
      const output = await serveCall(service, decoded, { deps, terms });
      return { kind: 'answered', requestId, output: outputCopier(operation)(output) };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const { message, status, details } = error;
      return { kind: 'refused', requestId, code: nameForClients(service, error.code), message, status, details };
    }
  };

const inputCopier = perKey((operation: OperationSchema) => structureCopier(inputShape(operation)));
const formInputCopier = perKey((operation: OperationSchema) => structureCopier(inputShape(operation), 'absent'));
const outputCopier = perKey((operation: OperationSchema) => structureCopier(outputShape(operation)));

/** The name that SDK clients give an error: the one of the model where the model has one for the code. */
function nameForClients({ sdkCode, operations }: AwsService, code: string): string {
  const shown = sdkCode?.(code) ?? code;
  return (operations[0] && modelledErrorName(operations[0].schema, shown)) ?? shown;
}

function findSchema(service: AwsService, operation: string): OperationSchema {
  const found = service.operations.find(({ schema }) => operationName(schema) === operation);
  if (found !== undefined) return found.schema;
  throw new AwsError('UnknownOperationException', `The sandbox does not serve the operation ${operation}.`);
}
