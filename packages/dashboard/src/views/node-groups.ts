import { byTextOf, type NodeGroup } from '@nodewright/apis';
import type { NodeGroupRow } from '../rows/dashboard-rows.ts';

/** NodeGroups with how far they are. By id. */
export const viewNodeGroups = (groups: readonly NodeGroup[]): readonly NodeGroupRow[] =>
  groups.map(viewNodeGroup).toSorted(byTextOf(({ id }) => id));

function viewNodeGroup({ metadata, status = {} }: NodeGroup): NodeGroupRow {
  const { phase = 'Pending', reason = 'it has not been looked at yet', target, nodes, update } = status;
  return {
    id: metadata.name,
    phase,
    reason,
    ...(target === undefined ? {} : { target: target.release ?? target.image }),
    total: nodes?.total ?? 0,
    updated: nodes?.updated ?? 0,
    ...(update === undefined ? {} : { startedAt: update.startedAt }),
  };
}
