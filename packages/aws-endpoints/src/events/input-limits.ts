import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { eventsConstraintsJson } from './input-constraints.generated.ts';

const rulePageSize = [limitValue('Limit', 1, 100)];

/** What the API reference of EventBridge says of list lengths and page sizes. */
export const eventsLimits: ServiceLimits = {
  byOperation: new Map([
    ['ListRuleNamesByTarget', rulePageSize],
    ['ListRules', rulePageSize],
    ['ListTargetsByRule', rulePageSize],
    ['PutEvents', [limitItems('Entries', 10, 1)]],
    ['PutTargets', [limitItems('Targets', 100, 1)]],
    ['RemoveTargets', [limitItems('Ids', 100, 1)]],
  ]),
  refuse: (exceeded) => new AwsError('ValidationException', describeConstraint(exceeded)),
};

/** What the model says of inputs. */
export const eventsConstraints: ServiceConstraints = {
  listViolations: compileConstraints(eventsConstraintsJson),
  refuse: (violations) => new AwsError('ValidationException', describeViolations(violations)),
};
