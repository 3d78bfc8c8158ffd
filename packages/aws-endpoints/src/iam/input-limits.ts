import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { iamConstraintsJson } from './input-constraints.generated.ts';

const iamPageSize = [limitValue('MaxItems', 1, 1_000)];
const tags = [limitItems('Tags', 50)];

/** What IAM's API reference says of list lengths and page sizes. */
export const iamLimits: ServiceLimits = {
  byOperation: new Map([
    ['CreateInstanceProfile', tags],
    ['ListAccessKeys', iamPageSize],
    ['ListAccountAliases', iamPageSize],
    ['ListAttachedRolePolicies', iamPageSize],
    ['ListAttachedUserPolicies', iamPageSize],
    ['ListEntitiesForPolicy', iamPageSize],
    ['ListGroupsForUser', iamPageSize],
    ['ListInstanceProfileTags', iamPageSize],
    ['ListInstanceProfiles', iamPageSize],
    ['ListInstanceProfilesForRole', iamPageSize],
    ['ListPolicies', iamPageSize],
    ['ListPolicyTags', iamPageSize],
    ['ListPolicyVersions', iamPageSize],
    ['ListRolePolicies', iamPageSize],
    ['ListRoleTags', iamPageSize],
    ['ListRoles', iamPageSize],
    ['ListUserPolicies', iamPageSize],
    ['ListUserTags', iamPageSize],
    ['ListUsers', iamPageSize],
    ['TagRole', tags],
    ['TagInstanceProfile', tags],
  ]),
  refuse: (exceeded) => new AwsError('ValidationError', describeConstraint(exceeded)),
};

/** What the model says of inputs. */
export const iamConstraints: ServiceConstraints = {
  listViolations: compileConstraints(iamConstraintsJson),
  refuse: (violations) => new AwsError('ValidationError', describeViolations(violations)),
};
