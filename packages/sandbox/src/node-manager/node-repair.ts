import type { NodeRepairConfig } from '@aws-sdk/client-eks';
import { fromTimestamp, type Instant, instant, type Node } from '@nodewright/apis';

const minute = 60_000;

/** How long a condition may be wrong, in minutes, before the node is replaced. Pressures never lead to a repair. */
const waits: Readonly<Record<string, number>> = {
  AcceleratedHardwareReady: 10,
  ContainerRuntimeReady: 30,
  KernelReady: 30,
  NetworkingReady: 30,
  StorageReady: 30,
  Ready: 30,
};

export type RepairableNode = { readonly instanceId: string; readonly node: Node; readonly leaving: boolean };

export type RepairPlan = {
  /** Instances whose nodes are to be replaced now. */
  readonly replace: readonly string[];
  /** When the next node will have been unhealthy for long enough. */
  readonly recheckAt?: Instant;
};

/** Which nodes a group replaces by itself; none while too many are unhealthy, for that is not the nodes' fault. */
export function planRepairs(config: NodeRepairConfig, seen: readonly RepairableNode[], now: Instant): RepairPlan {
  if (config.enabled !== true) return { replace: [] };
  const sick = seen.flatMap((each) => {
    const due = repairDue(config, each.node);
    return due === undefined ? [] : [{ ...each, due }];
  });
  const waiting = sick.filter(({ leaving }) => !leaving);
  const later = waiting.map(({ due }) => due).filter((due) => due > now);
  const recheck = later.length === 0 ? {} : { recheckAt: instant(Math.min(...later)) };
  if (isTooMany(config, sick.length, seen.length)) return { replace: [], ...recheck };
  const room = parallelRepairs(config, sick.length) - (sick.length - waiting.length);
  const ready = waiting
    .filter(({ due }) => due <= now)
    .toSorted((a, b) => a.due - b.due || (a.instanceId < b.instanceId ? -1 : 1));
  return { replace: ready.slice(0, Math.max(0, room)).map(({ instanceId }) => instanceId), ...recheck };
}

/** The first moment at which one of the node's conditions calls for a replacement. */
function repairDue(config: NodeRepairConfig, { status }: Node): Instant | undefined {
  const dues = (status?.conditions ?? []).flatMap(({ type, status: is, reason = '', lastTransitionTime }) => {
    if (is === 'True' || waits[type] === undefined || lastTransitionTime === undefined) return [];
    const override = config.nodeRepairConfigOverrides?.find(
      (each) => each.nodeMonitoringCondition === type && each.nodeUnhealthyReason === reason,
    );
    if (override !== undefined && override.repairAction !== 'Replace') return [];
    const minutes = override?.minRepairWaitTimeMins ?? waits[type];
    return [instant(fromTimestamp(lastTransitionTime) + minutes * minute)];
  });
  return dues.length === 0 ? undefined : instant(Math.min(...dues));
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
