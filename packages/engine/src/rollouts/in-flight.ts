import {
  type AdmittedNode,
  type BegunReplacement,
  fromTimestamp,
  hours,
  instant,
  type Instant,
  minutes,
  type ParkedNode,
  toTimestamp,
} from '@nodewright/apis';
import type { RolloutSettings } from './settings.ts';
import type { RolloutNode, RolloutSnapshot } from './snapshot.ts';

/** Nodes that were let go, nodes that cannot be drained, and what was begun in the last hour. */
export type InFlight = {
  readonly admitted: readonly AdmittedNode[];
  readonly parked: readonly ParkedNode[];
  readonly begun: readonly BegunReplacement[];
  /** Nodes that are parked now, that give their slot back, or that are told about. */
  readonly newlyParked: readonly ParkedNode[];
  readonly released: readonly AdmittedNode[];
  readonly toNotify: readonly ParkedNode[];
  /** Parked nodes that the policy drains by force from now on. */
  readonly forceDue: readonly ParkedNode[];
  readonly changesAt: readonly Instant[];
};

const begunMemoryMs = hours(1);
const retryMs = hours(1);

/** Brings the record of moves up to date with the nodes that there are. */
export function updateInFlight(seen: RolloutSnapshot, settings: RolloutSettings): InFlight {
  const { now, policy } = seen;
  const { admitted = [], parked = [], begun = [] } = policy.status ?? {};
  const nodes = new Map(seen.nodes.map((node) => [node.name, node]));
  const present = admitted.filter((entry) => isStillMoving(entry, nodes, seen));
  const stuck = present.filter((entry) => isStuck(nodes.get(entry.node), entry, settings, now));
  const released = present.filter(
    (entry) => !stuck.includes(entry) && isWithoutRoom(entry, nodes.get(entry.node), seen),
  );
  const keptParked = parked.filter(({ node }) => nodes.has(node));
  const newlyParked = stuck.map((entry) => parkedEntry(entry, nodes.get(entry.node), parked, now));
  const all = [...keptParked.filter(({ node }) => !newlyParked.some((each) => each.node === node)), ...newlyParked];
  const waiting = all.filter(
    ({ node }) => !present.some((entry) => entry.node === node) || stuck.some((each) => each.node === node),
  );
  const toNotify = waiting.filter(
    (entry) => entry.notified !== true && isRungReached(entry, settings.ladder.notifyMs, now),
  );
  return {
    admitted: present.filter((entry) => !stuck.includes(entry) && !released.includes(entry)),
    parked: all.map((entry) => (toNotify.includes(entry) ? { ...entry, notified: true } : entry)),
    begun: begun.filter(({ at }) => now - fromTimestamp(at) < begunMemoryMs),
    newlyParked,
    released,
    toNotify,
    forceDue: all.filter((entry) => isRungReached(entry, settings.ladder.forceMs, now)),
    changesAt: changesOfMoves(present, waiting, settings, now),
  };
}

/** A managed group moves until none of its nodes is left to move and no update of it runs. */
function isStillMoving(
  { node, object, at }: AdmittedNode,
  nodes: ReadonlyMap<string, RolloutNode>,
  seen: RolloutSnapshot,
): boolean {
  const group = seen.objects.find(({ id, moves }) => id === object && moves === 'whole');
  if (group === undefined) return nodes.has(node);
  return group.update !== undefined || at === toTimestamp(seen.now) || isGroupOutdated(object, seen);
}

function isGroupOutdated(object: string, seen: RolloutSnapshot): boolean {
  const targets = new Set(
    seen.rollouts
      .filter(({ status }) => status?.endedAt === undefined)
      .flatMap(({ spec }) => spec.to.map(({ image }) => image)),
  );
  return seen.nodes.some((node) => node.object === object && !targets.has(node.image));
}

/** A node that a pod keeps gives its slot back after a while. */
function isStuck(node: RolloutNode | undefined, move: AdmittedNode, settings: RolloutSettings, now: Instant): boolean {
  return node?.blockedBy !== undefined && now >= parkTimeOf(move, settings);
}

/**
 * Its replacement cannot be launched, or not even be planned, and it is not drained yet; or something keeps the update of
 * the group from beginning. Others may go on meanwhile.
 */
const isWithoutRoom = (
  { object, node }: AdmittedNode,
  own: RolloutNode | undefined,
  { objects, now, nodes }: RolloutSnapshot,
): boolean => {
  const isBackingOff = [objects.find(({ id }) => id === object)?.backOff, own?.backOff].some(
    (backOff) => backOff !== undefined && backOff.until > now,
  );
  if (node === object) return isBackingOff && !isUpdating(object, objects);
  const isReplaced = nodes.some(({ replaces, launchFailure }) => replaces === node && launchFailure === undefined);
  return isBackingOff && own?.leaving === false && !isReplaced;
};

const isUpdating = (object: string, objects: RolloutSnapshot['objects']): boolean =>
  objects.some(({ id, update }) => id === object && update !== undefined);

function parkedEntry(
  entry: AdmittedNode,
  node: RolloutNode | undefined,
  before: readonly ParkedNode[],
  now: Instant,
): ParkedNode {
  const earlier = before.find((each) => each.node === entry.node);
  return {
    node: entry.node,
    ...(node?.nodeName === undefined ? {} : { nodeName: node.nodeName }),
    object: entry.object,
    ...(entry.rollout === undefined ? {} : { rollout: entry.rollout }),
    since: toTimestamp(now),
    firstAt: earlier?.firstAt ?? entry.at,
    ...(node?.blockedBy?.pod === undefined ? {} : { pod: node.blockedBy.pod }),
    ...(node?.blockedBy?.podDisruptionBudget === undefined
      ? {}
      : { podDisruptionBudget: node.blockedBy.podDisruptionBudget }),
    ...(earlier?.notified === undefined ? {} : { notified: earlier.notified }),
  };
}

/** When a parked node is tried again at the latest. */
export const retryOf = ({ since }: ParkedNode): Instant => instant(fromTimestamp(since) + retryMs);

/** Whether a parked node may be tried again: what blocks it has changed, or an hour has passed. */
export const isRetryDue = (entry: ParkedNode, node: RolloutNode, now: Instant): boolean =>
  now >= retryOf(entry) ||
  node.blockedBy?.pod !== entry.pod ||
  node.blockedBy?.podDisruptionBudget !== entry.podDisruptionBudget;

/** Whether nodes of a rollout cannot be drained: when they can is unknown. */
export const isDrainHeld = (
  { admitted, parked }: InFlight,
  rollout: string,
  { nodes, now }: RolloutSnapshot,
): boolean =>
  parked.some((entry) => entry.rollout === rollout) ||
  admitted.some(
    (move) =>
      move.rollout === rollout &&
      now - fromTimestamp(move.at) >= shortDrainMs &&
      nodes.some(({ name, blockedBy }) => name === move.node && blockedBy !== undefined),
  );

/** For so long a budget may keep a node while the pod before it starts elsewhere. */
const shortDrainMs = minutes(5);

/** When a node that a pod keeps gives its slot back. */
export const parkTimeOf = ({ at }: Pick<AdmittedNode, 'at'>, { pace, ladder }: RolloutSettings): Instant =>
  instant(fromTimestamp(at) + Math.min(pace.slotMs, ladder.parkMs ?? Infinity));

/** From when on the policy drains a parked node by force; absent where it never does. */
export const forceTimeOf = ({ firstAt }: ParkedNode, { ladder }: RolloutSettings): Instant | undefined =>
  ladder.forceMs === undefined ? undefined : instant(fromTimestamp(firstAt) + ladder.forceMs);

const isRungReached = ({ firstAt }: ParkedNode, afterMs: number | undefined, now: Instant): boolean =>
  afterMs !== undefined && now - fromTimestamp(firstAt) >= afterMs;

function changesOfMoves(
  admitted: readonly AdmittedNode[],
  parked: readonly ParkedNode[],
  settings: RolloutSettings,
  now: Instant,
): readonly Instant[] {
  const { ladder } = settings;
  const later = (since: string, ms: number | undefined): number =>
    ms === undefined ? Infinity : fromTimestamp(since) + ms;
  return [
    ...admitted.map((move) => parkTimeOf(move, settings)),
    ...parked.flatMap((entry) => [
      retryOf(entry),
      later(entry.firstAt, ladder.notifyMs),
      later(entry.firstAt, ladder.forceMs),
    ]),
  ]
    .filter((at) => at > now && Number.isFinite(at))
    .map(instant);
}
