import type { NodeRepairConfig } from '@aws-sdk/client-eks';
import {
  byTextOf,
  earliest,
  fromTimestamp,
  inOrder,
  instant,
  type Instant,
  minutes,
  type Node,
  readOwn,
  byNumberOf,
} from '@nodewright/apis';

/** How long a condition may be wrong, in minutes, before the node is repaired. Pressures never lead to a repair. */
const waits: Readonly<Record<string, number>> = {
  AcceleratedHardwareReady: 10,
  ContainerRuntimeReady: 30,
  KernelReady: 30,
  NetworkingReady: 30,
  StorageReady: 30,
  Ready: 30,
};

/** Errors of NVIDIA's devices that are over after a reboot; other errors mean a replacement. */
const rebootedFor: readonly string[] = [13, 31, 48, 63, 64, 94, 95].map((code) => `NvidiaXID${code}Error`);

export type RepairableNode = {
  readonly instanceId: string;
  readonly node: Node;
  readonly leaving: boolean;
  /** The last reboot that a repair made of it. */
  readonly rebootedAt?: Instant;
};

type RepairAction = 'Replace' | 'Reboot' | 'NoAction';

export type GroupRepairPlan = {
  /** Instances whose nodes are replaced now, and instances that reboot. */
  readonly replace: readonly string[];
  readonly reboot: readonly string[];
  /** When the next node will have been unhealthy for long enough. */
  readonly recheckAt?: Instant;
};

/** The Linux nodes that a group repairs by itself; none while too many are unhealthy, because the cause is then elsewhere. */
export function planRepairs(config: NodeRepairConfig, all: readonly RepairableNode[], now: Instant): GroupRepairPlan {
  if (config.enabled !== true) return { replace: [], reboot: [] };
  const seen = all.filter(({ node }) => node.metadata.labels?.['kubernetes.io/os'] !== 'windows');
  const sick = seen.flatMap((each) => {
    const [first] = repairsOf(config, each).toSorted(byNumberOf(({ due }) => due));
    return first === undefined ? [] : [{ ...each, ...first }];
  });
  const waiting = sick.filter(({ leaving }) => !leaving);
  const nextDue = earliest(...waiting.map(({ due }) => due).filter((due) => due > now));
  const recheck = nextDue === undefined ? {} : { recheckAt: nextDue };
  if (isTooMany(config, sick.length, seen.length)) return { replace: [], reboot: [], ...recheck };
  const room = parallelRepairs(config, sick.length) - (sick.length - waiting.length);
  const chosen = waiting
    .filter(({ due }) => due <= now)
    .toSorted(longestDueFirst)
    .slice(0, Math.max(0, room));
  const idsOf = (wanted: RepairAction) =>
    chosen.filter(({ action }) => action === wanted).map(({ instanceId }) => instanceId);
  return { replace: idsOf('Replace'), reboot: idsOf('Reboot'), ...recheck };
}

const longestDueFirst = inOrder<Repair & { readonly instanceId: string }>(
  byNumberOf(({ due }) => due),
  byTextOf(({ instanceId }) => instanceId),
);

type Repair = { readonly action: RepairAction; readonly due: Instant };

/** What the node's conditions call for, and when. A reboot is tried once for each time that a condition goes wrong. */
function repairsOf(config: NodeRepairConfig, { node, rebootedAt }: RepairableNode): readonly Repair[] {
  return (node.status?.conditions ?? []).flatMap(({ type, status: is, reason = '', lastTransitionTime }) => {
    const wait = readOwn(waits, type);
    if (is === 'True' || wait === undefined || lastTransitionTime === undefined) return [];
    const override = config.nodeRepairConfigOverrides?.find(
      (each) => each.nodeMonitoringCondition === type && each.nodeUnhealthyReason === reason,
    );
    const action = override?.repairAction ?? usualAction(reason);
    const since = fromTimestamp(lastTransitionTime);
    const isTried = action === 'Reboot' && rebootedAt !== undefined && rebootedAt >= since;
    if (action === 'NoAction' || isTried) return [];
    return [{ action, due: instant(since + minutes(override?.minRepairWaitTimeMins ?? wait)) }];
  });
}

/** Warnings are told as events only. */
function usualAction(reason: string): RepairAction {
  if (/^NvidiaXID\d+Warning$/.test(reason)) return 'NoAction';
  return rebootedFor.includes(reason) ? 'Reboot' : 'Replace';
}

function isTooMany(config: NodeRepairConfig, sick: number, all: number): boolean {
  const { maxUnhealthyNodeThresholdCount: count, maxUnhealthyNodeThresholdPercentage: share } = config;
  if (count !== undefined) return sick > count;
  if (share !== undefined) return sick * 100 > all * share;
  return all > 5 && sick * 5 > all;
}

/** The share is one of the unhealthy nodes. */
function parallelRepairs(config: NodeRepairConfig, sick: number): number {
  const { maxParallelNodesRepairedCount: count, maxParallelNodesRepairedPercentage: share } = config;
  if (count !== undefined) return count;
  return share === undefined ? sick : Math.max(1, Math.floor((sick * share) / 100));
}
