import type { Instant, NodePool } from '@nodewright/apis';
import {
  BudgetLedger,
  type DisruptionBlocker,
  EvictionRules,
  type CandidacyQuestion,
  listOwnBlockers,
  nodePoolNameOf,
  type NodeState,
  podName,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';

export type OwnBlockerReading = Pick<ClusterReading, 'disruption' | 'nodePools'>;

/** What keeps drifted nodes, as the cluster alone tells it: whether their pods have another place is not asked. */
export type OwnBlockerReader = {
  /** What comes first: the node, a pause, its pods, the budgets of its pool. */
  findFirst(state: NodeState): DisruptionBlocker | undefined;
  /** What a person finds out next, one by one, who does away with `first`: about the node and its pods. */
  listFurther(state: NodeState, first: DisruptionBlocker): readonly DisruptionBlocker[];
};

const mostFurtherHolds = 5;

/** What it needs is put together when the first node is asked about: most nodes have not drifted. */
export function createOwnBlockerReader(reading: OwnBlockerReading, now: Instant): OwnBlockerReader {
  let known: HoldSources | undefined;
  const list = (state: NodeState): readonly DisruptionBlocker[] => {
    known ??= readHoldSources(reading, now);
    return listOwnBlockers(state, known.findPool(state), known.context);
  };
  return {
    findFirst(state) {
      known ??= readHoldSources(reading, now);
      const pool = known.findPool(state);
      return list(state)[0] ?? (pool && known.ledger.blockerOf(pool, state));
    },
    listFurther(state, first) {
      const holds = new Map(list(state).map((hold) => [nameHold(hold), hold]));
      return holds.delete(nameHold(first)) ? [...holds.values()].slice(0, mostFurtherHolds) : [];
    },
  };
}

type HoldSources = {
  readonly context: CandidacyQuestion;
  readonly ledger: BudgetLedger;
  readonly findPool: (state: NodeState) => NodePool | undefined;
};

function readHoldSources({ disruption, nodePools }: OwnBlockerReading, now: Instant): HoldSources {
  const { nodes, queued, pauses, watched, takenBack, podDisruptionBudgets } = disruption;
  const rules = new EvictionRules(podDisruptionBudgets);
  const pools = new Map(nodePools.map((pool) => [pool.metadata.name, pool]));
  return {
    context: { queued, rules, disruptionClass: 'eventual', reason: 'Drifted', pauses, watched, now },
    ledger: new BudgetLedger(nodes, { reason: 'Drifted', now }, takenBack),
    findPool: (state) => pools.get(nodePoolNameOf(state) ?? ''),
  };
}

/** Holds of one name go together: whoever does away with one of them has done away with the others. */
function nameHold(blocker: DisruptionBlocker): string {
  switch (blocker.kind) {
    case 'protectedPod':
      return `${blocker.kind} ${podName(blocker.pod)}`;
    case 'eviction':
      return `${blocker.kind} ${blocker.eviction.budgets.join(' ')}`;
    default:
      return blocker.kind;
  }
}
