import {
  type AdmittedNode,
  byNumberOf,
  byTextOf,
  inOrder,
  inReverse,
  labelSelectorPredicate,
  type LabelSelector,
  byValueOf,
} from '@nodewright/apis';
import { lastEndOf, softEndOf } from './ages/node-ages.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutNode, RolloutSnapshot } from './snapshot.ts';
import type { RolloutView } from './view.ts';

/** A node, or a managed node group, that would be replaced. */
export type MoveCandidate = {
  /** Name of the node, or id of the group. */
  readonly name: string;
  readonly object: string;
  readonly variant: string;
  readonly reason: AdmittedNode['reason'];
  /** How many new nodes the move takes. */
  readonly claims: number;
  readonly isWhole: boolean;
  /** The nodes that go. */
  readonly nodes: readonly RolloutNode[];
};

/** Nodes that a rollout has to move, managed groups as wholes, in the order in which they go. */
export function listImageCandidates(
  view: RolloutView,
  seen: RolloutSnapshot,
  order: {
    readonly prefer: LabelSelector | undefined;
    readonly reason: 'Image' | 'Rollback';
    readonly soaks?: boolean;
  },
): readonly MoveCandidate[] {
  const whole = new Set(seen.objects.filter(({ moves }) => moves === 'whole').map(({ id }) => id));
  const { reason } = order;
  const single = view.toMove
    .filter(({ object }) => !whole.has(object))
    .map((node): MoveCandidate => ({
      name: node.name,
      object: node.object,
      variant: node.variant,
      reason,
      claims: node.claims ?? 1,
      isWhole: false,
      nodes: [node],
    }));
  const groups = [...whole].toSorted().flatMap((object): MoveCandidate[] => {
    const nodes = view.toMove.filter((node) => node.object === object);
    const [first] = nodes;
    if (first === undefined) return [];
    return [{ name: object, object, variant: first.variant, reason, claims: nodes.length, isWhole: true, nodes }];
  });
  const rankOf = ranksOf(order.prefer, seen);
  return inTurns([...single, ...groups], {
    rankOf: order.soaks === true ? (candidate) => rankOf(candidate) + (provesNothing(candidate, seen) ? 4 : 0) : rankOf,
    crowdOf: countCrowds(seen),
  });
}

/**
 * A group has as many nodes afterwards as before, so that the new node of an empty one has no pods either, and does not soak.
 * An empty node of a NodePool leaves without a replacement.
 */
const provesNothing = (candidate: MoveCandidate, { objects }: RolloutSnapshot): boolean =>
  podsOf(candidate) === 0 && objects.some(({ id, source }) => id === candidate.object && id === source);

/**
 * How many nodes an Auto Scaling group has in the zone of a node. The replacement comes into the emptiest zone: nodes of the
 * fullest one go first, so that the zones are even afterwards, and the group has nothing to balance.
 */
function countCrowds({ nodes, objects }: RolloutSnapshot): Rank {
  const groups = new Set(objects.filter(({ id, source }) => id === source).map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const { object, zone, leaving } of nodes)
    if (groups.has(object) && !leaving) counts.set(`${object} ${zone}`, (counts.get(`${object} ${zone}`) ?? 0) + 1);
  return ({ object, isWhole, nodes: [first] }) =>
    isWhole || first === undefined ? 0 : (counts.get(`${object} ${first.zone}`) ?? 0);
}

/** Nodes that drifted for another reason than the image, and nodes that are old. */
export function listOtherCandidates(
  view: RolloutView | undefined,
  seen: RolloutSnapshot,
  settings: RolloutSettings,
): readonly MoveCandidate[] {
  const ofImage = new Set((view?.toMove ?? []).map(({ name }) => name));
  // A node group is its own source of images: its nodes are replaced for their images only.
  const groups = new Set(seen.objects.filter(({ id, source }) => id === source).map(({ id }) => id));
  const candidates = seen.nodes
    .filter(({ name, leaving, object }) => !leaving && !ofImage.has(name) && !groups.has(object))
    .flatMap((node): MoveCandidate[] => {
      const isOld = softEndOf(node, settings) <= seen.now;
      if (node.otherDrift === undefined && !isOld) return [];
      const { name, object, variant, claims = 1 } = node;
      const reason = node.otherDrift === undefined ? 'Age' : 'Drift';
      return [{ name, object, variant, reason, claims, isWhole: false, nodes: [node] }];
    });
  const endOf: Rank = ({ reason, nodes }) =>
    reason === 'Age' ? Math.min(...nodes.map((node) => lastEndOf(node, settings))) : 0;
  return inTurns(candidates, { rankOf: ranksOf(undefined, seen), endOf });
}

type Rank = (candidate: MoveCandidate) => number;

/** Orders nodes: preferred ones come first, then nodes on a blocked image, then nodes that drifted for another reason, too. */
function ranksOf(prefer: LabelSelector | undefined, { obstacles }: RolloutSnapshot): Rank {
  const isPreferred = prefer === undefined ? () => false : labelSelectorPredicate(prefer);
  return ({ nodes }) => {
    const preferred = nodes.some(({ labels }) => isPreferred(labels));
    const onBadImage = nodes.some(({ image }) => obstacles.get(image)?.kind === 'blocked');
    const drifted = nodes.some(({ otherDrift }) => otherDrift !== undefined);
    return (preferred ? 0 : 8) + (onBadImage ? 0 : 2) + (drifted ? 0 : 1);
  };
}

/**
 * Within a rank the pools take turns; in a pool old nodes that end first go first, then those of the fullest zone of an Auto
 * Scaling group, then those with fewest pods, then small groups, then the oldest.
 * @param endOf when a node that is replaced for its age goes by force
 */
function inTurns(
  candidates: readonly MoveCandidate[],
  {
    rankOf,
    endOf = () => 0,
    crowdOf = () => 0,
  }: { readonly rankOf: Rank; readonly endOf?: Rank; readonly crowdOf?: Rank },
): readonly MoveCandidate[] {
  const inPool = inOrder<MoveCandidate>(
    byNumberOf(endOf),
    byNumberOf(podsOf),
    byNumberOf(({ nodes }) => nodes.length),
    byAge,
  );
  const turns = new Map<string, number>();
  const ranked = inOrder<MoveCandidate>(byNumberOf(rankOf), byNumberOf(endOf), inReverse(byNumberOf(crowdOf)), inPool);
  const placed = candidates.toSorted(ranked).map((candidate) => {
    const pool = `${rankOf(candidate)} ${candidate.object}`;
    const turn = turns.get(pool) ?? 0;
    turns.set(pool, turn + 1);
    return { candidate, turn };
  });
  return placed
    .toSorted(
      inOrder<(typeof placed)[number]>(
        byNumberOf(({ candidate }) => rankOf(candidate)),
        byNumberOf(({ turn }) => turn),
        byValueOf(({ candidate }) => candidate, inPool),
      ),
    )
    .map(({ candidate }) => candidate);
}

const podsOf = ({ nodes }: MoveCandidate): number => nodes.reduce((sum, { pods }) => sum + pods, 0);

const bornAt = ({ nodes }: MoveCandidate): number => Math.min(...nodes.map(({ createdAt }) => createdAt));

const byAge = inOrder<MoveCandidate>(
  byNumberOf(bornAt),
  byTextOf(({ name }) => name),
);
