import { byTextOf, type NodeGroup } from '@nodewright/apis';
import type { GroupProgressRow } from '../rows/dashboard-rows.ts';

/** NodeGroups with how far they are. By id. */
export const viewNodeGroups = (groups: readonly NodeGroup[]): readonly GroupProgressRow[] =>
  groups.map(viewNodeGroup).toSorted(byTextOf(({ id }) => id));

function viewNodeGroup({ metadata, status = {} }: NodeGroup): GroupProgressRow {
  const { phase = 'Pending', reason = 'it has not been looked at yet', target, nodes, update } = status;
  return {
    id: metadata.name,
    phase,
    reason,
    ...(target === undefined ? {} : { target: target.release ?? target.image }),
    total: nodes?.total ?? 0,
    updated: nodes?.updated ?? 0,
    ...(update === undefined ? {} : { startedAt: update.startedAt }),
    explain: `nodegroup/${metadata.name}`,
  };
}
