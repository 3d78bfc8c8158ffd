import { numberOf } from '../releases/minors.ts';
import type { Eks } from './model.ts';
import type { NodeGroup } from './nodegroups/node-group.ts';
import { groupsOf } from './nodegroups/groups-of.ts';

/** The groups that stand in the way of an update of the cluster to the version. */
export function laggingGroups(eks: Eks, clusterName: string, to: string): readonly NodeGroup[] {
  const { version: from } = eks.clusters.cluster(clusterName);
  return groupsOf(eks, clusterName).filter(({ version }) =>
    eks.nodeSkew === 'strict' ? version !== from : numberOf(to) - numberOf(version) > skewOf(version, to),
  );
}

/** Three minors for kubelets since 1.25 under a control plane since 1.28, two before that. */
const skewOf = (kubelet: string, controlPlane: string): number =>
  numberOf(kubelet) >= 25 && numberOf(controlPlane) >= 28 ? 3 : 2;
