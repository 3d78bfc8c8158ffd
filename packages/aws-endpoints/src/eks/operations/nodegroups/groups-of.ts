import { noSuchNodegroup } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import type { EksNodeGroup } from '../../nodegroups/node-group.ts';

/** By name. Only the cluster that is run here has any. @throws AwsError when there is no such cluster */
export function listClusterGroups(eks: Eks, clusterName: string | undefined): readonly EksNodeGroup[] {
  const { name } = eks.clusters.cluster(clusterName ?? '');
  return name === eks.clusterName ? eks.nodeGroups.all() : [];
}

type NodegroupName = { readonly clusterName?: string | undefined; readonly nodegroupName?: string | undefined };

/** @throws AwsError when there is no such cluster, or no such group in it */
export function groupNamed(eks: Eks, { clusterName = '', nodegroupName = '' }: NodegroupName): EksNodeGroup {
  const found = listClusterGroups(eks, clusterName).find(({ name }) => name === nodegroupName);
  if (found === undefined) throw noSuchNodegroup(clusterName, nodegroupName);
  return found;
}
