import type { Instant, NodeGroup } from '@nodewright/apis';
import type { Chance } from '@nodewright/nodegroups';
import { CloudError } from '@nodewright/ports';
import { recheckAt, settled, type Reconciler, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { eventEntries } from '../../reporting/report-entry.ts';
import type { GroupReadings } from '../../state/group-readings.ts';
import { readingOfGroup } from './group-reading.ts';
import { observeNodeGroup, withQuotas, type NodeGroupSources } from './observe.ts';
import { performNodeGroupAction } from './perform.ts';
import type { NodeGroupDeps } from './deps.ts';
import { planNodeGroup } from './plan.ts';
import { isBeingDeleted, hasFinalizer } from './removal.ts';
import * as reports from './report.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { withoutTrouble, withTrouble } from './trouble.ts';
import { judgeUpdate } from './verdict.ts';

type NodeGroupReconcilerDeps = NodeGroupDeps &
  NodeGroupSources & {
    readonly publish: Publisher;
    readonly readings: GroupReadings;
    readonly random: Chance;
    /** Since when this process has been at work. */
    readonly since: Instant;
  };

/** `nodegroup`: keeps one group on the image that its NodeGroup wants. Keys are names. */
export function nodeGroupReconciler(deps: NodeGroupReconcilerDeps): Reconciler {
  return async (name, signal) => {
    const nodeGroup = deps.objects.nodeGroups.get(name);
    if (nodeGroup === undefined) deps.readings.forget(name);
    if (nodeGroup === undefined || (isBeingDeleted(nodeGroup) && !hasFinalizer(nodeGroup))) return settled;
    try {
      return await takeTurn(deps, nodeGroup, signal);
    } catch (error) {
      await tellTrouble(deps, name, error);
      throw againLater(error);
    }
  };
}

async function takeTurn(deps: NodeGroupReconcilerDeps, nodeGroup: NodeGroup, signal: AbortSignal): Promise<Result> {
  const { objects, clock } = deps;
  const first = await observeNodeGroup(deps, nodeGroup, signal);
  const seen = isAboutToBegin(first, clock.now()) ? await withQuotas(deps, first, signal) : first;
  const reading = readingOfGroup(seen, objects, clock.now());
  if (reading === undefined) deps.readings.forget(nodeGroup.metadata.name);
  else deps.readings.record(nodeGroup.metadata.name, reading, clock.now());
  const plan = planNodeGroup(seen, clock.now(), { chance: deps.random, since: deps.since });
  const stored = await objects.nodeGroups.save(nodeGroup, plan.after);
  if (stored === undefined) return settled;
  deps.publish(eventEntries(plan.reports));
  for (const action of plan.actions) await performNodeGroupAction(deps, stored, action, signal);
  const current = objects.nodeGroups.get(nodeGroup.metadata.name);
  if (current !== undefined) await objects.nodeGroups.save(current, withoutTrouble(current));
  return recheckAt(plan.recheckAt);
}

/** Nothing is under way, and nothing that is known without asking for more keeps an update from beginning. */
const isAboutToBegin = (seen: NodeGroupSnapshot, now: Instant): boolean =>
  seen.nodeGroup.status?.update === undefined && seen.update === undefined && judgeUpdate(seen, now).kind === 'go';

/** What AWS refuses hangs on the state of the group, which changes without the NodeGroup. */
const againLater = (error: unknown): unknown =>
  error instanceof CloudError && error.retry === 'afterSpecChange'
    ? new CloudError(error.message, { code: error.code, retry: 'backOff', cause: error })
    : error;

/** What AWS refuses is told where people look; the call is made again after a pause. */
async function tellTrouble(
  { objects, clock, publish }: NodeGroupReconcilerDeps,
  name: string,
  error: unknown,
): Promise<void> {
  const nodeGroup = objects.nodeGroups.get(name);
  if (nodeGroup === undefined) return;
  const told = withTrouble(nodeGroup, error, clock.now());
  if (told === nodeGroup) return;
  publish(eventEntries([reports.callFailed(nodeGroup, String(error instanceof Error ? error.message : error))]));
  await objects.nodeGroups.save(nodeGroup, told);
}
