import { AwsError } from '../codec/aws-error.ts';
import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { iamConstraintsJson } from './input-constraints.generated.ts';

const page = [limitValue('MaxItems', 1, 1_000)];
const tags = [limitItems('Tags', 50)];

/** What IAM's API reference says of list lengths and page sizes. */
export const iamLimits: ServiceLimits = {
  byOperation: new Map([
    ['CreateInstanceProfile', tags],
    ['ListAccountAliases', page],
    ['ListAttachedRolePolicies', page],
    ['ListInstanceProfiles', page],
    ['ListRolePolicies', page],
    ['ListInstanceProfilesForRole', page],
    ['ListInstanceProfileTags', page],
    ['ListEntitiesForPolicy', page],
    ['ListPolicies', page],
    ['ListPolicyTags', page],
    ['ListPolicyVersions', page],
    ['ListRoles', page],
    ['ListRoleTags', page],
    ['ListUsers', page],
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
