import {
  fromTimestamp,
  type Instant,
  instant,
  karpenterLabels,
  type Node,
  type NodeClaim,
  byNumberOf,
} from '@nodewright/apis';
import type { RepairPolicy } from '@nodewright/ports';

export type RepairSnapshot = {
  readonly node: Node;
  /** The claim of the node; without one the node is left alone. */
  readonly claim: NodeClaim | undefined;
  /** Nodes of the claim's NodePool; for a claim without one, all nodes. */
  readonly peers: readonly RepairPeer[];
  readonly policies: readonly RepairPolicy[];
  /** The images that a launch in place of the node may use; `undefined` when that is not known. */
  readonly launchImages: ReadonlySet<string> | undefined;
};

/** A node and the image that it runs. */
export type RepairPeer = { readonly node: Node; readonly image: string | undefined };

export type NodeRepairPlan =
  | { readonly kind: 'none' }
  /** Unhealthy, but not for long enough. */
  | { readonly kind: 'wait'; readonly until: Instant }
  /** So many are unhealthy that the cause is elsewhere, and new nodes would be no better. */
  | { readonly kind: 'hold'; readonly unhealthy: number; readonly tolerated: number; readonly among: string }
  | { readonly kind: 'replace'; readonly claim: NodeClaim; readonly condition: string };

const toleratedShare = 0.2;

/**
 * Whether a node is to be replaced for its health. Neither budgets nor `do-not-disrupt` apply: it serves no pods.
 * More unhealthy nodes than a fifth hold it, unless their image is to blame and new nodes get another one.
 */
export function planRepair(seen: RepairSnapshot, now: Instant): NodeRepairPlan {
  const { node, claim, peers, policies } = seen;
  const [defect] = defectsOf(node, policies).toSorted(byNumberOf(({ due }) => due));
  if (claim === undefined || defect === undefined) return { kind: 'none' };
  if (now < defect.due) return { kind: 'wait', until: defect.due };
  const pool = claim.metadata.labels?.[karpenterLabels.nodePool];
  const unhealthy = peers.filter((peer) => isUnhealthy(peer, policies));
  const tolerated = Math.ceil(peers.length * toleratedShare);
  if (unhealthy.length <= tolerated || areNewNodesBetter(seen, unhealthy))
    return { kind: 'replace', claim, condition: defect.condition };
  return {
    kind: 'hold',
    unhealthy: unhealthy.length,
    tolerated,
    among: pool === undefined ? 'the cluster' : `NodePool ${pool}`,
  };
}

/**
 * Whether new nodes would be better than all that are unhealthy: these run images that no launch gets any more, and the
 * nodes that run other images are well.
 */
function areNewNodesBetter({ peers, launchImages }: RepairSnapshot, unhealthy: readonly RepairPeer[]): boolean {
  if (launchImages === undefined || launchImages.size === 0) return false;
  const suspects = new Set(unhealthy.map(({ image }) => image));
  const areSuperseded = [...suspects].every((image) => image !== undefined && !launchImages.has(image));
  return areSuperseded && peers.some(({ image }) => image !== undefined && !suspects.has(image));
}

const isUnhealthy = ({ node }: RepairPeer, policies: readonly RepairPolicy[]): boolean =>
  defectsOf(node, policies).length > 0;

type Defect = { readonly condition: string; readonly due: Instant };

/** What the policies find wrong now, and when it will have lasted too long. */
const defectsOf = ({ status }: Node, policies: readonly RepairPolicy[]): readonly Defect[] =>
  (status?.conditions ?? []).flatMap(({ type, status: is, lastTransitionTime }) =>
    policies
      .filter((policy) => policy.conditionType === type && policy.status === is)
      .map(({ tolerationMs }) => ({
        condition: type,
        due: instant((lastTransitionTime === undefined ? 0 : fromTimestamp(lastTransitionTime)) + tolerationMs),
      })),
  );
