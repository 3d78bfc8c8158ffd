import type { Issue } from '@aws-sdk/client-eks';
import type { Group } from '../../../autoscaling/group.ts';
import type { Iam } from '../../../iam/model.ts';
import type { Ec2 } from '../../../ec2/model.ts';
import type { Faults } from '../../../faults.ts';
import type { ClusterAccess } from '../../cluster-access.ts';

/** Where the health of a group is read from. */
export type Surroundings = {
  readonly ec2: Ec2;
  readonly iam: Iam;
  readonly faults: Faults;
  readonly access: () => ClusterAccess;
  readonly autoScaling: { find(name: string): Group | undefined };
};

export const issue = (code: NonNullable<Issue['code']>, message: string, resourceIds: readonly string[]): Issue => ({
  code,
  message,
  resourceIds: [...resourceIds],
});
