import type { Instant } from '@nodewright/apis';
import { type Account, iamArnOf } from '../../account.ts';
import type { Network } from '../../ec2/network.ts';
import { type Cluster, defaultSettings } from './cluster.ts';

type Named = { readonly clusterName: string; readonly kubernetesVersion: string };
type Around = { readonly account: Account; readonly network: Network; readonly now: Instant };

/** The cluster that a sandbox begins with, as eksctl would have made it. */
export const hostedCluster = (
  { clusterName, kubernetesVersion }: Named,
  { account, network, now }: Around,
): Cluster => ({
  ...defaultSettings,
  name: clusterName,
  createdAt: now,
  since: now,
  stage: 'ACTIVE',
  version: kubernetesVersion,
  roleArn: iamArnOf(account, `role/eksctl-${clusterName}-cluster-ServiceRole`),
  tags: { 'alpha.eksctl.io/cluster-name': clusterName },
  serviceCidr: '10.100.0.0/16',
  subnetIds: network.subnets.map(({ id }) => id),
  securityGroupIds: [],
});
