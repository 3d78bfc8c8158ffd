import { byTextOf, type Instant, type Pod } from '@nodewright/apis';
import { podName, type FutileLaunch, type NodeState } from '@nodewright/engine';
import type { FutileRecord } from '../../state/futile-launches.ts';
import { latestRecord, type JudgedLaunches } from './judge-launches.ts';
import { isAwaitedByPods } from './launched-nodes.ts';
import { schedulingClassOf } from './scheduling-class.ts';

type Holding = {
  readonly seen: JudgedLaunches;
  readonly records: ReadonlyMap<string, readonly FutileRecord[]>;
  readonly promised: ReadonlyMap<Pod, NodeState>;
};

/**
 * Pods for which nothing is launched because nodes were launched in vain for them or for pods equal to them. After the
 * pause one of them gets a node; the others wait for what becomes of it.
 */
export function heldPods({ seen, records, promised }: Holding, now: Instant): ReadonlyMap<Pod, FutileLaunch> {
  const held = new Map<Pod, FutileLaunch>();
  if ([...records.values()].every(({ length }) => length === 0)) return held;
  for (const [schedulingClass, pods] of podsByClass(seen)) {
    const record = latestRecord(records, schedulingClass);
    const launch = record === undefined ? undefined : futileLaunch(record, seen, now);
    if (record === undefined || launch === undefined) continue;
    const probe = now < record.until || isProbed(record, seen, now) ? undefined : firstHeldPod(pods, promised);
    for (const pod of pods) if (pod !== probe) held.set(pod, launch);
  }
  return held;
}

function podsByClass({ pending, volumeRequirements }: JudgedLaunches): ReadonlyMap<string, readonly Pod[]> {
  const classes = new Map<string, Pod[]>();
  for (const pod of pending) {
    const schedulingClass = schedulingClassOf(pod, volumeRequirements);
    const pods = classes.get(schedulingClass) ?? [];
    classes.set(schedulingClass, pods);
    pods.push(pod);
  }
  return classes;
}

/** The reason that the pods get; `undefined` when every NodePool has changed since. */
function futileLaunch(
  { node, why, attempts, until, pools }: FutileRecord,
  { fingerprints }: JudgedLaunches,
  now: Instant,
): FutileLaunch | undefined {
  const closed = new Set([...pools].filter(([name, text]) => fingerprints.get(name) === text).map(([name]) => name));
  if (closed.size === 0) return undefined;
  return { node, why, attempts, closed, ...(now < until ? { until } : {}) };
}

/** Whether a node that was launched after the pause is on its way. */
const isProbed = ({ schedulingClass, judgedAt }: FutileRecord, { launched }: JudgedLaunches, now: Instant): boolean =>
  launched.some(
    (each) => each.createdAt > judgedAt && each.record.classes.has(schedulingClass) && isAwaitedByPods(each, now),
  );

const firstHeldPod = (pods: readonly Pod[], promised: ReadonlyMap<Pod, NodeState>): Pod | undefined =>
  pods.filter((pod) => !promised.has(pod)).toSorted(byTextOf(podName))[0];
