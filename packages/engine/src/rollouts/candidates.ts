import {
  type AdmittedNode,
  byText,
  inOrder,
  instant,
  type Instant,
  labelSelectorPredicate,
  type LabelSelector,
  byNumberOf,
  byValueOf,
} from '@nodewright/apis';
import { structuralHash } from '../drift/structural-hash.ts';
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
  order: { readonly prefer: LabelSelector | undefined; readonly reason: 'Image' | 'Rollback' },
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
  return inTurns([...single, ...groups], ranksOf(order.prefer, seen));
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
  return inTurns(candidates, ranksOf(undefined, seen));
}

type Rank = (candidate: MoveCandidate) => number;

/** Orders nodes: preferred ones come first, then nodes on a blocked image, then nodes that drifted for another reason, too. */
function ranksOf(prefer: LabelSelector | undefined, { obstacles }: RolloutSnapshot): Rank {
  const isPreferred = prefer === undefined ? () => false : labelSelectorPredicate(prefer);
  return ({ nodes }) => {
    const preferred = nodes.some(({ labels }) => isPreferred(labels));
    const onBadImage = nodes.some(({ image }) => obstacles.get(image)?.kind === 'blocked');
    const drifted = nodes.some(({ otherDrift }) => otherDrift !== undefined);
    return (preferred ? 0 : 4) + (onBadImage ? 0 : 2) + (drifted ? 0 : 1);
  };
}

/** Within a rank the pools take turns; in a pool those with fewest pods go first, then small groups, then the oldest. */
function inTurns(candidates: readonly MoveCandidate[], rankOf: Rank): readonly MoveCandidate[] {
  const sorted = candidates.toSorted(
    inOrder<MoveCandidate>(
      byNumberOf(rankOf),
      byNumberOf(podsOf),
      byNumberOf(({ nodes }) => nodes.length),
      byAge,
    ),
  );
  const turns = new Map<string, number>();
  const placed = sorted.map((candidate) => {
    const pool = `${rankOf(candidate)} ${candidate.object}`;
    const turn = turns.get(pool) ?? 0;
    turns.set(pool, turn + 1);
    return { candidate, turn };
  });
  return placed
    .toSorted(
      inOrder(
        byNumberOf(({ candidate }) => rankOf(candidate)),
        byNumberOf(({ turn }) => turn),
        byNumberOf(({ candidate }) => podsOf(candidate)),
        byNumberOf(({ candidate }) => candidate.nodes.length),
        byValueOf(({ candidate }) => candidate, byAge),
      ),
    )
    .map(({ candidate }) => candidate);
}

const podsOf = ({ nodes }: MoveCandidate): number => nodes.reduce((sum, { pods }) => sum + pods, 0);

const byAge = (a: MoveCandidate, b: MoveCandidate): number => bornAt(a) - bornAt(b) || byText(a.name, b.name);

const bornAt = ({ nodes }: MoveCandidate): number => Math.min(...nodes.map(({ createdAt }) => createdAt));

/** From when on a node is replaced for its age: the jitter of a node is its own, and always the same. */
export function softEndOf({ name, createdAt }: RolloutNode, { maxAge }: RolloutSettings): Instant {
  if (maxAge?.softMs === undefined) return instant(Infinity);
  return instant(createdAt + maxAge.softMs - Math.floor(maxAge.jitterMs * fractionOf(name)));
}

/** From when on a node goes whatever the policy says. */
export const hardEndOf = ({ createdAt }: RolloutNode, { maxAge }: RolloutSettings): Instant =>
  instant(createdAt + (maxAge?.hardMs ?? Infinity));

const fractionOf = (name: string): number => Number(BigInt(structuralHash(name)) % 1_000_000n) / 1_000_000;

/** Ages are looked at again at the first of these. */
export const nextAgeChange = (seen: RolloutSnapshot, settings: RolloutSettings): readonly Instant[] =>
  settings.maxAge === undefined
    ? []
    : seen.nodes
        .flatMap((node) => [softEndOf(node, settings), hardEndOf(node, settings)])
        .filter((at) => at > seen.now && Number.isFinite(at));
