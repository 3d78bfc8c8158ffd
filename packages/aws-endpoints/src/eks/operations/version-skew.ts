import { parseMinorNumber } from '../../releases/minors.ts';
import type { Eks } from '../model.ts';
import type { EksNodeGroup } from '../nodegroups/node-group.ts';
import { listClusterGroups } from './nodegroups/groups-of.ts';

/** The groups that stand in the way of an update of the cluster to the version. */
export function laggingGroups(eks: Eks, clusterName: string, to: string): readonly EksNodeGroup[] {
  const { version: from } = eks.clusters.cluster(clusterName);
  return listClusterGroups(eks, clusterName).filter(({ version }) =>
    eks.nodeSkew === 'strict'
      ? version !== from
      : parseMinorNumber(to) - parseMinorNumber(version) > skewOf(version, to),
  );
}

/** Three minors for kubelets since 1.25 under a control plane since 1.28, two before that. */
const skewOf = (kubelet: string, controlPlane: string): number =>
  parseMinorNumber(kubelet) >= 25 && parseMinorNumber(controlPlane) >= 28 ? 3 : 2;
