import type { Issue } from '@aws-sdk/client-eks';
import type { AutoScalingGroupRecord } from '../../../autoscaling/group/group.ts';
import type { Iam } from '../../../iam/model.ts';
import type { Ec2 } from '../../../ec2/model.ts';
import type { Faults } from '../../../faults/faults.ts';
import type { EksClusterAccess } from '../../cluster-access.ts';

/** Where the health of a group is read from. */
export type HealthSurroundings = {
  readonly ec2: Ec2;
  readonly iam: Iam;
  readonly faults: Faults;
  readonly access: () => EksClusterAccess;
  readonly autoScaling: { find(name: string): AutoScalingGroupRecord | undefined };
};

export const buildIssue = (
  code: NonNullable<Issue['code']>,
  message: string,
  resourceIds: readonly string[],
): Issue => ({
  code,
  message,
  resourceIds: [...resourceIds],
});
