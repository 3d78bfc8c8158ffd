import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';

const page = [limitValue('MaxItems', 1, 1_000)];
const tags = [limitItems('Tags', 50)];

/** What IAM's API reference says of list lengths and page sizes. */
export const iamLimits: ServiceLimits = {
  byOperation: new Map([
    ['CreateInstanceProfile', tags],
    ['ListInstanceProfiles', page],
    ['ListInstanceProfilesForRole', page],
    ['ListInstanceProfileTags', page],
    ['ListRoles', page],
    ['TagInstanceProfile', tags],
  ]),
  refuse: (exceeded) => new AwsError('ValidationError', describeConstraint(exceeded)),
};
