import { createNodegroup, updateNodegroupVersion } from '@nodewright/aws-endpoints';
import type { Sandbox } from '@nodewright/sandbox';
import type { ScenarioNodeGroup } from '../reading/scenario-file.ts';

/** EKS makes the group, on the release that it recommends at the start. */
export function createManagedGroup(
  { aws }: Sandbox,
  { name, nodes, strategy, instanceType, labels }: ScenarioNodeGroup,
) {
  const { eks, ec2, iam } = aws;
  const [role] = iam.roles();
  createNodegroup(eks, {
    clusterName: eks.clusterName,
    nodegroupName: name,
    subnets: ec2.network.subnets.filter(({ public: isPublic }) => !isPublic).map(({ id }) => id),
    nodeRole: role?.arn ?? '',
    instanceTypes: [instanceType],
    amiType: 'AL2023_x86_64_STANDARD',
    scalingConfig: { minSize: 0, maxSize: nodes + 1, desiredSize: nodes },
    updateConfig: { maxUnavailable: 1, updateStrategy: strategy },
    labels: { ...labels },
  });
}

/** Asks EKS to update the group, as people do. @throws AwsError when EKS refuses */
export function updateManagedGroup({ aws: { eks } }: Sandbox, group: string, release: string | undefined): void {
  updateNodegroupVersion(eks, {
    clusterName: eks.clusterName,
    nodegroupName: group,
    ...(release !== undefined && { releaseVersion: release }),
  });
}
