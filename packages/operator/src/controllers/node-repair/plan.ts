import { fromTimestamp, type Instant, instant, karpenterLabels, type Node, type NodeClaim } from '@nodewright/apis';
import type { RepairPolicy } from '@nodewright/ports';

export type RepairSnapshot = {
  readonly node: Node;
  /** The claim of the node; without one the node is left alone. */
  readonly claim: NodeClaim | undefined;
  /** Nodes of the claim's NodePool; for a claim without one, all nodes. */
  readonly peers: readonly Node[];
  readonly policies: readonly RepairPolicy[];
};

export type NodeRepairPlan =
  | { readonly kind: 'none' }
  /** Unhealthy, but not for long enough. */
  | { readonly kind: 'wait'; readonly until: Instant }
  /** So many are unhealthy that the cause is elsewhere, and new nodes would be no better. */
  | { readonly kind: 'hold'; readonly unhealthy: number; readonly tolerated: number; readonly among: string }
  | { readonly kind: 'replace'; readonly claim: NodeClaim; readonly condition: string };

const toleratedShare = 0.2;

/** Whether a node is to be replaced for its health. Neither budgets nor `do-not-disrupt` apply: it serves no pods. */
export function planRepair({ node, claim, peers, policies }: RepairSnapshot, now: Instant): NodeRepairPlan {
  const [defect] = defectsOf(node, policies).toSorted((a, b) => a.due - b.due);
  if (claim === undefined || defect === undefined) return { kind: 'none' };
  if (now < defect.due) return { kind: 'wait', until: defect.due };
  const pool = claim.metadata.labels?.[karpenterLabels.nodePool];
  const unhealthy = peers.filter((each) => defectsOf(each, policies).length > 0).length;
  const tolerated = Math.ceil(peers.length * toleratedShare);
  if (unhealthy <= tolerated) return { kind: 'replace', claim, condition: defect.condition };
  return { kind: 'hold', unhealthy, tolerated, among: pool === undefined ? 'the cluster' : `NodePool ${pool}` };
}

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
