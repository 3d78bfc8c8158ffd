import {
  conditionFalse,
  conditionTrue,
  conditionUnknown,
  nodeGroupConditions,
  nodewrightAnnotations,
  toTimestamp,
  withCondition,
  withInitialConditions,
  type ConditionUpdate,
  type FinishedUpdate,
  type Instant,
  type NodeGroup,
  type NodeGroupBlocker,
  type NodeGroupUpdate,
} from '@nodewright/apis';
import { firstSeenTable } from '../node-class/first-seen.ts';
import { absenceOf } from './absence.ts';
import { countNodes } from './counts.ts';
import { listGroupInstances } from './group-instances.ts';
import type { GroupObstacle } from './obstacle.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

type NodeGroupStatus = NonNullable<NodeGroup['status']>;

/** What a turn says about the group; the rest of the status follows from what was seen. */
export type GroupPhase = {
  readonly phase: NonNullable<NodeGroupStatus['phase']>;
  readonly reason: string;
  readonly blockedBy?: readonly NodeGroupBlocker[];
  /** `undefined` once nothing is under way. */
  readonly update: NodeGroupUpdate | undefined;
  readonly finished?: FinishedUpdate;
  /** Whether a request for an update, if there was one, has been answered; as before where it is not said. */
  readonly served?: boolean;
};

const longestHistory = 10;

export function withStanding(seen: NodeGroupSnapshot, standing: GroupPhase, now: Instant): NodeGroup {
  const { nodeGroup } = seen;
  const { phase, reason, blockedBy = [], update, finished, served } = standing;
  const before = nodeGroup.status ?? {};
  const request = nodeGroup.metadata.annotations?.[nodewrightAnnotations.upgradeRequest];
  const history = [...(finished === undefined ? [] : [finished]), ...(before.history ?? [])].slice(0, longestHistory);
  const { blockedBy: _, update: __, target: ___, imagesFirstSeen: ____, instances: _____, ...rest } = before;
  const { servedRequest, ...kept } = rest;
  const answered = served === undefined ? servedRequest : served ? request : undefined;
  const status: NodeGroupStatus = {
    ...kept,
    phase,
    reason,
    nodes: countNodes(seen),
    ...targetStatus(seen),
    ...memberStatus(seen),
    ...(seen.firstSeen.size === 0 ? {} : { imagesFirstSeen: firstSeenTable(seen.firstSeen) }),
    ...(blockedBy.length === 0 ? {} : { blockedBy }),
    ...(update === undefined ? {} : { update }),
    ...(history.length === 0 ? {} : { history }),
    ...(request === undefined ? {} : { observedRequest: request }),
    ...(answered === undefined ? {} : { servedRequest: answered }),
  };
  const written = withInitialConditions(nodeGroupConditions, { ...nodeGroup, status }, now);
  return conditionsOfGroup(seen, standing).reduce(
    (current, condition) => withCondition(nodeGroupConditions, current, condition, now),
    written,
  );
}

/** Of an Auto Scaling group: commands that read the cluster alone know its nodes by their instances. */
function memberStatus(seen: NodeGroupSnapshot): Pick<NodeGroupStatus, 'instances'> {
  if (seen.nodeGroup.spec.eks !== undefined || seen.scaling === undefined) return {};
  const instances = listGroupInstances(seen).map(({ id, image, zone, launchedAt, leaving }) => ({
    id,
    image,
    zone,
    launchedAt: toTimestamp(launchedAt),
    ...(leaving ? { leaving } : {}),
  }));
  return { instances };
}

function targetStatus({ wanted }: NodeGroupSnapshot): Pick<NodeGroupStatus, 'target'> {
  if (wanted.kind !== 'image') return {};
  const { image, release } = wanted;
  return { target: { image: image.id, name: image.name, ...(release === undefined ? {} : { release }) } };
}

function conditionsOfGroup(seen: NodeGroupSnapshot, { phase, reason }: GroupPhase): readonly ConditionUpdate[] {
  const { managed, scaling, wanted, nodeGroup } = seen;
  const isFound = nodeGroup.spec.eks === undefined ? scaling !== undefined : managed !== undefined;
  return [
    isFound ? conditionTrue('GroupFound') : conditionFalse('GroupFound', 'GroupNotFound', absenceOf(nodeGroup)),
    wanted.kind === 'none' ? conditionFalse('ImageReady', 'NoImage', wanted.why) : conditionTrue('ImageReady'),
    phase === 'UpToDate'
      ? conditionTrue('UpToDate')
      : phase === 'Pending'
        ? conditionUnknown('UpToDate', 'Pending', reason)
        : conditionFalse('UpToDate', phase, reason),
  ];
}

/** The obstacles with the time since when each stands in the way. */
export const blockersFrom = (
  { status }: NodeGroup,
  obstacles: readonly GroupObstacle[],
  now: Instant,
): readonly NodeGroupBlocker[] =>
  obstacles.map((obstacle) => ({
    ...obstacle,
    since: status?.blockedBy?.find((before) => isSameObstacle(before, obstacle))?.since ?? toTimestamp(now),
  }));

const isSameObstacle = (
  before: GroupObstacle,
  { reason, namespace, pod, podDisruptionBudget }: GroupObstacle,
): boolean =>
  before.reason === reason &&
  before.namespace === namespace &&
  before.pod === pod &&
  before.podDisruptionBudget === podDisruptionBudget;

/** The update that is begun now. */
export const newUpdate = ({ status }: NodeGroup, target: string, now: Instant): NodeGroupUpdate => ({
  number: (status?.history?.[0]?.number ?? 0) + 1,
  target,
  startedAt: toTimestamp(now),
});
