import { type Instant, instant } from '@nodewright/apis';
import {
  beginUpdate,
  eksLimits,
  failUpdate,
  isOver,
  type Observation,
  countParallelReplacements,
  planUpdate,
  type UpdateFailure,
  type UpdateRecord,
} from '@nodewright/nodegroups';
import { ApiError } from '@nodewright/runtime';
import {
  softwareConfiguration,
  type GroupUpdate,
  type EksNodeGroup,
  settledGroup,
  softwareLabels,
} from '@nodewright/aws-endpoints';
import type { Recheck } from '@nodewright/cluster-sim';
import type { GroupManager } from './manager.ts';
import { observe } from './observe.ts';
import { perform } from './perform.ts';

/** One turn of a version update: observe, plan, keep the record, act. */
export async function advanceVersion(
  manager: GroupManager,
  group: EksNodeGroup,
  update: GroupUpdate,
): Promise<Recheck> {
  const { nodeGroups, watches, clock, random, client, limits } = manager;
  const { resources, goal } = group.resources === undefined ? {} : { resources: group.resources, goal: update.goal };
  const scaling = resources && nodeGroups.deps.autoScaling.find(resources.groupName);
  if (resources === undefined || goal === undefined || scaling === undefined) {
    const errorMessage = `The Auto Scaling group of ${group.name} is gone.`;
    return endVersionUpdate(manager, {
      ...update,
      status: 'Failed',
      errors: [{ errorCode: 'Unknown', errorMessage, resourceIds: [] }],
    });
  }
  const lost = loseSight(manager, update);
  if (lost !== undefined) return lost;
  const seen = observe(watches, scaling, resources, update);
  const now = clock.now();
  const record = update.record ?? newRecord(manager, { group, update, goal, seen });
  const turn = { seen, now, limits, chance: random.fork(`${update.id} ${now}`) };
  const plan = planUpdate(record, turn);
  const kept = { ...update, record: plan.record };
  nodeGroups.keepUpdate(kept);
  try {
    for (const action of plan.actions) await perform(action, { client, nodeGroups, update: kept, resources });
  } catch (error) {
    return refusedUpdate(manager, kept, error);
  }
  return isOver(plan.record) ? finishVersionUpdate(manager, kept, plan.record) : plan.recheckAt;
}

type Begun = {
  readonly group: EksNodeGroup;
  readonly update: GroupUpdate;
  readonly goal: NonNullable<GroupUpdate['goal']>;
  readonly seen: Observation;
};

function newRecord({ clock, onFailure }: GroupManager, { group, update, goal, seen }: Begun): UpdateRecord {
  const { configuration, max, desired, instances } = seen.group;
  return beginUpdate(
    {
      target: { configuration: softwareConfiguration(goal), labels: softwareLabels(group, goal) },
      strategy: group.updateConfig.updateStrategy ?? 'DEFAULT',
      parallel: countParallelReplacements(group.updateConfig, instances.length),
      before: { configuration, max, desired },
      force: update.force ?? false,
      onFailure,
    },
    clock.now(),
  );
}

/** An update during which EKS loses its rights in the cluster has failed; the way to it may come back for a while. */
function loseSight(manager: GroupManager, update: GroupUpdate): Instant | undefined {
  const { nodeGroups, clock } = manager;
  const { cutOffSince, ...kept } = update;
  const access = nodeGroups.deps.access();
  const now = clock.now();
  if (update.blind === true || update.record === undefined) return undefined;
  if (access === 'denied') return blinded(manager, kept, noRights);
  if (access === 'granted') {
    if (cutOffSince !== undefined) nodeGroups.keepUpdate(kept);
    return undefined;
  }
  const since = cutOffSince ?? now;
  if (now >= since + eksLimits.drainMs) return blinded(manager, kept, noWay);
  nodeGroups.keepUpdate({ ...kept, cutOffSince: since });
  return instant(now + eksLimits.pollMs);
}

const noRights: UpdateFailure = {
  code: 'AccessDenied',
  message: 'EKS may not look after nodes: the cluster role eks:node-manager or its binding is missing in the cluster',
  resourceIds: [],
};

const noWay: UpdateFailure = {
  code: 'ClusterUnreachable',
  message: 'EKS could not reach the API server of the cluster',
  resourceIds: [],
};

/** What is left to do is done without the cluster: template and sizes as they were. */
function blinded({ nodeGroups, clock }: GroupManager, update: GroupUpdate, failure: UpdateFailure): Instant {
  const now = clock.now();
  const record = update.record && failUpdate(update.record, failure, now);
  nodeGroups.keepUpdate({ ...update, blind: true, ...(record !== undefined && { record }) });
  return instant(now + eksLimits.pollMs);
}

/** Without the rights it needs EKS can do nothing; everything else is worth another try. */
function refusedUpdate(manager: GroupManager, update: GroupUpdate, error: unknown): Instant {
  if (!(error instanceof ApiError) || error.code !== 403) throw error;
  return blinded(manager, update, { ...noRights, message: error.message });
}

function finishVersionUpdate(manager: GroupManager, update: GroupUpdate, { failure }: UpdateRecord): undefined {
  if (failure === undefined) return endVersionUpdate(manager, { ...update, status: 'Successful' });
  const { code: errorCode, message: errorMessage, resourceIds } = failure;
  return endVersionUpdate(manager, {
    ...update,
    status: 'Failed',
    errors: [{ errorCode, errorMessage, resourceIds: [...resourceIds] }],
  });
}

function endVersionUpdate({ nodeGroups, clock }: GroupManager, update: GroupUpdate): undefined {
  nodeGroups.keepUpdate(update);
  nodeGroups.keep(settledGroup(nodeGroups.group(update.group), update, clock.now()));
}
