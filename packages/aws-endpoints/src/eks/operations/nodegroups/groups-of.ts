import { noSuchNodegroup } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import type { EksNodeGroup } from '../../nodegroups/node-group.ts';
import type { NodeGroups } from '../../nodegroups/node-groups.ts';

/** Returns the groups of a cluster. @throws AwsError when there is no such cluster */
export const groupsOfCluster = (eks: Eks, clusterName: string | undefined): NodeGroups =>
  eks.groupsOf(eks.clusters.cluster(clusterName ?? '').name);

/** By name. @throws AwsError when there is no such cluster */
export const listClusterGroups = (eks: Eks, clusterName: string | undefined): readonly EksNodeGroup[] =>
  groupsOfCluster(eks, clusterName).all();

type NodegroupName = { readonly clusterName?: string | undefined; readonly nodegroupName?: string | undefined };

/** A group, and those of its cluster. */
type FoundNodegroup = { readonly nodeGroups: NodeGroups; readonly group: EksNodeGroup };

/** @throws AwsError when there is no such cluster, or no such group in it */
export function findNodegroup(eks: Eks, { clusterName = '', nodegroupName = '' }: NodegroupName): FoundNodegroup {
  const nodeGroups = groupsOfCluster(eks, clusterName);
  const group = nodeGroups.find(nodegroupName);
  if (group === undefined) throw noSuchNodegroup(clusterName, nodegroupName);
  return { nodeGroups, group };
}
