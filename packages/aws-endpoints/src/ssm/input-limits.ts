import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';

/** What the API reference of Systems Manager says of list lengths and page sizes. */
export const ssmLimits: ServiceLimits = {
  byOperation: new Map([
    ['DeleteParameters', [limitItems('Names', 10, 1)]],
    ['GetParameters', [limitItems('Names', 10, 1)]],
    ['GetParametersByPath', [limitValue('MaxResults', 1, 10)]],
  ]),
  refuse: (exceeded) => new AwsError('ValidationException', describeConstraint(exceeded)),
};
