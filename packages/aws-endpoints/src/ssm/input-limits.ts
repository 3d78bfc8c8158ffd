import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { ssmConstraintsJson } from './input-constraints.generated.ts';

/** What the API reference of Systems Manager says of list lengths and page sizes. */
export const ssmLimits: ServiceLimits = {
  byOperation: new Map([
    ['DeleteParameters', [limitItems('Names', 10, 1)]],
    ['DescribeParameters', [limitValue('MaxResults', 1, 50)]],
    ['GetParameterHistory', [limitValue('MaxResults', 1, 50)]],
    ['GetParameters', [limitItems('Names', 10, 1)]],
    ['GetParametersByPath', [limitValue('MaxResults', 1, 10)]],
  ]),
  refuse: (exceeded) => new AwsError('ValidationException', describeConstraint(exceeded)),
};

/** What the model says of inputs. */
export const ssmConstraints: ServiceConstraints = {
  listViolations: compileConstraints(ssmConstraintsJson),
  refuse: (violations) => new AwsError('ValidationException', describeViolations(violations)),
};
