import type { Chance } from '@nodewright/nodegroups';
import { recheckAt, settled, type Reconciler } from '@nodewright/runtime';
import type { Reporter } from '../../reporting/report.ts';
import { observeNodeGroup, type NodeGroupSources } from './observe.ts';
import { performNodeGroupAction, type NodeGroupDeps } from './perform.ts';
import { planNodeGroup } from './plan.ts';

/** `nodegroup`: keeps one group on the image that its NodeGroup wants. Keys are names. */
export function nodeGroupReconciler(
  deps: NodeGroupDeps & NodeGroupSources & { readonly report: Reporter; readonly random: Chance },
): Reconciler {
  return async (name, signal) => {
    const nodeGroup = deps.objects.nodeGroups.get(name);
    if (nodeGroup === undefined || nodeGroup.metadata.deletionTimestamp !== undefined) return settled;
    const seen = await observeNodeGroup(deps, nodeGroup, signal);
    const plan = planNodeGroup(seen, deps.clock.now(), deps.random);
    const stored = await deps.objects.nodeGroups.save(nodeGroup, plan.after);
    if (stored === undefined) return settled;
    for (const report of plan.reports) deps.report(report);
    for (const action of plan.actions) await performNodeGroupAction(deps, stored, action, signal);
    return recheckAt(plan.recheckAt);
  };
}
