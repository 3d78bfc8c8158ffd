import type { Ec2 } from '../../ec2/model.ts';
import type { Network, SecurityGroup } from '../../ec2/network.ts';
import { listNewGroupRules } from '../../ec2/security-group-rules.ts';
import { vpcIdOfSubnet } from '../../ec2/vpcs.ts';
import type { EksCluster } from './cluster.ts';

const groupNamePrefix = 'eks-cluster-sg';

/** Finds the group that EKS made for the cluster. The first cluster has the one that was laid with its network. */
export const clusterSecurityGroupOf = (
  network: Network,
  { securityGroupId }: Pick<EksCluster, 'securityGroupId'>,
): string | undefined =>
  securityGroupId ?? network.securityGroups.find(({ name }) => name.startsWith(groupNamePrefix))?.id;

/** Makes the group that the control plane and the nodes of a new cluster share. @returns its id */
export function createClusterSecurityGroup(ec2: Ec2, name: string, subnetId: string): string {
  const { network, random, tags } = ec2;
  const vpcId = vpcIdOfSubnet(network, subnetId);
  const id = `sg-0${random.hex(16)}`;
  const group: SecurityGroup = {
    id,
    name: `${groupNamePrefix}-${name}-${random.integer(900_000_000) + 100_000_000}`,
    description:
      'EKS created security group applied to ENI that is attached to EKS Control Plane master nodes, as well as any managed workloads.',
    ...(vpcId !== network.vpcId && { vpcId }),
    rules: [{ direction: 'ingress', protocol: '-1', peer: { kind: 'group', value: id } }, ...listNewGroupRules(false)],
  };
  network.securityGroups = [...network.securityGroups, group];
  tags.add(id, {
    Name: group.name,
    'aws:eks:cluster-name': name,
    [`kubernetes.io/cluster/${name}`]: 'owned',
  });
  ec2.keepNetwork();
  return id;
}

/** Removes the group of a cluster that is gone. */
export function deleteClusterSecurityGroup(ec2: Ec2, id: string): void {
  const { network } = ec2;
  network.securityGroups = network.securityGroups.filter((group) => group.id !== id);
  ec2.tags.forget(id);
  ec2.keepNetwork();
}
