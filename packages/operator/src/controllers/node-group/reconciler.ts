import type { Instant, NodeGroup } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import { recheckAt, settled, type Random, type Reconciler, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { GroupReadings } from '../../state/group-readings.ts';
import { readingOfGroup } from './group-reading.ts';
import { observeNodeGroup, withQuotas, type NodeGroupSources } from './observe.ts';
import { performNodeGroupAction } from './perform.ts';
import type { NodeGroupDeps } from './deps.ts';
import { planNodeGroup } from './plan.ts';
import { isBeingDeleted, hasFinalizer } from './removal.ts';
import { reportFailedTurn, reportNodeGroupPlan } from './report.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { withoutTrouble, withTrouble } from './trouble.ts';
import { judgeUpdate } from './verdict.ts';

type NodeGroupReconcilerDeps = NodeGroupDeps &
  Omit<NodeGroupSources, 'now'> & {
    readonly publish: Publisher;
    readonly readings: GroupReadings;
    /** Which nodes go first is drawn for each turn anew, so that equal snapshots have equal plans. */
    readonly random: Pick<Random, 'fork'>;
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
  const { objects, clock, random, since } = deps;
  const first = await observeNodeGroup({ ...deps, now: clock.now() }, nodeGroup, signal);
  const seen = isAboutToBegin(first, clock.now()) ? await withQuotas(deps, first, signal) : first;
  const now = clock.now();
  const reading = readingOfGroup(seen, objects, now);
  if (reading === undefined) deps.readings.forget(nodeGroup.metadata.name);
  else deps.readings.record(nodeGroup.metadata.name, reading, now);
  const plan = planNodeGroup(seen, now, { chance: random.fork(`${nodeGroup.metadata.name} ${now}`), since });
  const stored = await objects.nodeGroups.save(nodeGroup, plan.after);
  if (stored === undefined) return settled;
  deps.publish(reportNodeGroupPlan(plan));
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

/** A refusal of AWS is shown in the status and as an event; the call is made again after a pause. */
async function tellTrouble(
  { objects, clock, publish }: NodeGroupReconcilerDeps,
  name: string,
  error: unknown,
): Promise<void> {
  const nodeGroup = objects.nodeGroups.get(name);
  if (nodeGroup === undefined) return;
  const told = withTrouble(nodeGroup, error, clock.now());
  if (told === nodeGroup) return;
  publish(reportFailedTurn(nodeGroup, error));
  await objects.nodeGroups.save(nodeGroup, told);
}
