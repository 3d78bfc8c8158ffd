import type { Instant } from '@nodewright/apis';
import { type AwsAccount, iamArnOf } from '../../account.ts';
import { isLocalZone } from '../../ec2/zones.ts';
import type { Network } from '../../ec2/network.ts';
import { type EksCluster, defaultClusterSettings } from './cluster.ts';

type HostedClusterName = { readonly clusterName: string; readonly kubernetesVersion: string };
type HostedClusterFacts = { readonly account: AwsAccount; readonly network: Network; readonly now: Instant };

/** The cluster that a sandbox begins with, as eksctl would have made it. */
export const hostedCluster = (
  { clusterName, kubernetesVersion }: HostedClusterName,
  { account, network, now }: HostedClusterFacts,
): EksCluster => ({
  ...defaultClusterSettings,
  name: clusterName,
  createdAt: now,
  since: now,
  stage: 'ACTIVE',
  version: kubernetesVersion,
  roleArn: iamArnOf(account, `role/eksctl-${clusterName}-cluster-ServiceRole`),
  tags: { 'alpha.eksctl.io/cluster-name': clusterName },
  serviceCidr: '10.100.0.0/16',
  subnetIds: network.subnets.filter(({ zone }) => !isLocalZone(zone)).map(({ id }) => id),
  securityGroupIds: [],
});
