import {
  type AdmittedNode,
  byNumberOf,
  byTextOf,
  inOrder,
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
  return inTurns([...single, ...groups], { rankOf: ranksOf(order.prefer, seen) });
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
    return (preferred ? 0 : 4) + (onBadImage ? 0 : 2) + (drifted ? 0 : 1);
  };
}

/**
 * Within a rank the pools take turns; in a pool old nodes that end first go first, then those with fewest pods, then small
 * groups, then the oldest.
 * @param endOf when a node that is replaced for its age goes by force
 */
function inTurns(
  candidates: readonly MoveCandidate[],
  { rankOf, endOf = () => 0 }: { readonly rankOf: Rank; readonly endOf?: Rank },
): readonly MoveCandidate[] {
  const inPool = inOrder<MoveCandidate>(
    byNumberOf(endOf),
    byNumberOf(podsOf),
    byNumberOf(({ nodes }) => nodes.length),
    byAge,
  );
  const turns = new Map<string, number>();
  const placed = candidates.toSorted(inOrder(byNumberOf(rankOf), inPool)).map((candidate) => {
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
