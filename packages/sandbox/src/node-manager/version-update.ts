import { type Instant, instant } from '@nodewright/apis';
import {
  beginUpdate,
  eksLimits,
  failUpdate,
  isOver,
  type Observation,
  parallelism,
  planUpdate,
  type UpdateRecord,
} from '@nodewright/nodegroups';
import { ApiError } from '@nodewright/runtime';
import { configurationOf, type GroupUpdate, type NodeGroup, softwareLabels } from '../aws/eks/nodegroups/node-group.ts';
import type { Recheck } from '../control/control-plane.ts';
import type { Manager } from './manager.ts';
import { observe } from './observe.ts';
import { perform } from './perform.ts';

/** One turn of a version update: observe, plan, keep the record, act. */
export async function advanceVersion(manager: Manager, group: NodeGroup, update: GroupUpdate): Promise<Recheck> {
  const { nodeGroups, watches, clock, random, client } = manager;
  const { resources, goal } = group.resources === undefined ? {} : { resources: group.resources, goal: update.goal };
  const scaling = resources && nodeGroups.deps.autoScaling.find(resources.groupName);
  if (resources === undefined || goal === undefined || scaling === undefined) {
    const errorMessage = `The Auto Scaling group of ${group.name} is gone.`;
    return end(manager, {
      ...update,
      status: 'Failed',
      errors: [{ errorCode: 'Unknown', errorMessage, resourceIds: [] }],
    });
  }
  const seen = observe(watches, scaling, resources);
  const now = clock.now();
  const record = update.record ?? newRecord(manager, { group, update, goal, seen });
  const turn = { seen, now, limits: eksLimits, chance: random.fork(`${update.id} ${now}`) };
  const plan = planUpdate(record, turn);
  const kept = { ...update, record: plan.record };
  nodeGroups.keepUpdate(kept);
  try {
    for (const action of plan.actions) await perform(action, { client, nodeGroups, update: kept, resources });
  } catch (error) {
    return refused(manager, kept, plan.record, error);
  }
  return isOver(plan.record) ? finish(manager, kept, plan.record) : plan.recheckAt;
}

type Begun = {
  readonly group: NodeGroup;
  readonly update: GroupUpdate;
  readonly goal: NonNullable<GroupUpdate['goal']>;
  readonly seen: Observation;
};

function newRecord({ clock, onFailure }: Manager, { group, update, goal, seen }: Begun): UpdateRecord {
  const { configuration, max, desired, instances } = seen.group;
  return beginUpdate(
    {
      target: { configuration: configurationOf(goal), labels: softwareLabels(group, goal) },
      strategy: group.updateConfig.updateStrategy ?? 'DEFAULT',
      parallel: parallelism(group.updateConfig, instances.length),
      before: { configuration, max, desired },
      force: update.force ?? false,
      onFailure,
    },
    clock.now(),
  );
}

/** Without the rights it needs EKS can do nothing; everything else is worth another try. */
function refused({ nodeGroups, clock }: Manager, update: GroupUpdate, record: UpdateRecord, error: unknown): Instant {
  if (!(error instanceof ApiError) || error.code !== 403 || record.failure !== undefined) throw error;
  const failure = { code: 'AccessDenied', message: error.message, resourceIds: [] } as const;
  nodeGroups.keepUpdate({ ...update, record: failUpdate(record, failure, clock.now()) });
  return instant(clock.now() + eksLimits.pollMs);
}

function finish(manager: Manager, update: GroupUpdate, { failure }: UpdateRecord): undefined {
  if (failure === undefined) return end(manager, { ...update, status: 'Successful' });
  const { code: errorCode, message: errorMessage, resourceIds } = failure;
  return end(manager, {
    ...update,
    status: 'Failed',
    errors: [{ errorCode, errorMessage, resourceIds: [...resourceIds] }],
  });
}

/** A group that failed to get there says that it is what it was before. */
function end({ nodeGroups, clock }: Manager, update: GroupUpdate): undefined {
  nodeGroups.keepUpdate(update);
  const group = nodeGroups.group(update.group);
  const { source: _before, ...rest } = group;
  const changed = update.status === 'Successful' && update.goal !== undefined ? { ...rest, ...update.goal } : group;
  nodeGroups.keep({ ...changed, status: 'ACTIVE', modifiedAt: clock.now() });
}
