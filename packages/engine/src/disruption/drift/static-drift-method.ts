import { isConditionTrue, quantityUnits, type Instant } from '@nodewright/apis';
import { isNodeLeaving, nodePoolNameOf, type NodeState } from '../../cluster/node-state.ts';
import { suitableTypes, templateRequirements } from '../../solve/nodes/node-template.ts';
import type { PoolSupply } from '../../instance-types/pool-supply.ts';
import type { NewNode } from '../../solve/problem.ts';
import { BudgetLedger } from '../budgets/budget-ledger.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionCommand } from '../command.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import { sortByTimeOfDrift } from './drift-order.ts';
import type { BlockedNode, DisruptionMethod, MethodPlan } from '../method.ts';
import { nextDisruptionChange } from '../next-change.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import { splitEligibleNodes } from '../eligible-nodes.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

/**
 * Which drifted nodes of pools with `replicas` to replace, one for one: as many as budgets and `limits.nodes` allow,
 * longest drifted first. Places for their pods are not checked, because the number of nodes stays the same.
 *
 * A pool with too many nodes first removes the surplus.
 */
function planStaticDrift(seen: DisruptionSnapshot, now: Instant): MethodPlan {
  if (seen.staticPools === undefined || seen.staticPools.size === 0) return nothingToReplace;
  const rules = new EvictionRules(seen.podDisruptionBudgets);
  const ledger = new BudgetLedger(seen.nodes, { reason: 'Drifted', now }, seen.takenBack);
  const eligibility = splitEligibleNodes(driftedOf(seen), seen, {
    disruptionClass: 'eventual',
    reason: 'Drifted',
    rules,
    now,
  });
  const commands: DisruptionCommand[] = [];
  const blocked: BlockedNode[] = [...eligibility.blocked];
  for (const supply of seen.staticSupplies ?? []) {
    const room = roomFor(supply, seen.nodes);
    const candidates = eligibility.candidates.filter(({ nodePool }) => nodePool === supply.nodePool);
    for (const candidate of sortByTimeOfDrift(candidates)) {
      const blocker = ledger.blockerOf(supply.nodePool, candidate.state) ?? room.blocker;
      if (blocker !== undefined) {
        blocked.push({ node: candidate.state, blocker });
        continue;
      }
      ledger.take(supply.nodePool);
      room.take();
      commands.push(replacementOf(candidate, supply));
    }
  }
  const recheckAt = nextDisruptionChange(blocked, seen, now);
  return {
    commands,
    eligible: eligibility.candidates.map(({ state }) => state),
    blocked,
    ...(recheckAt === undefined ? {} : { recheckAt }),
  };
}

const nothingToReplace: MethodPlan = { commands: [], eligible: [], blocked: [] };

/** Replaces drifted nodes of pools with `replicas`. */
export const staticDrift: DisruptionMethod = { name: 'StaticDrift', reason: 'Drifted', plan: planStaticDrift };

function driftedOf({ nodes, staticPools }: DisruptionSnapshot): readonly NodeState[] {
  return nodes.filter(
    (state) =>
      state.nodeClaim !== undefined &&
      staticPools?.has(nodePoolNameOf(state) ?? '') === true &&
      isConditionTrue(state.nodeClaim, 'Drifted'),
  );
}

/** How many more nodes a pool may have by its limit and its number of nodes. */
function roomFor({ nodePool }: PoolSupply, nodes: readonly NodeState[]) {
  const { name } = nodePool.metadata;
  const { replicas = 0, limits } = nodePool.spec;
  const own = nodes.filter((state) => state.nodeClaim !== undefined && nodePoolNameOf(state) === name);
  const wanted = own.filter((state) => !isNodeLeaving(state)).length;
  const limit = limits?.['nodes'] === undefined ? Infinity : quantityUnits(limits['nodes']);
  let left = limit - own.length;
  return {
    get blocker(): DisruptionBlocker | undefined {
      if (wanted > replicas) return { kind: 'surplusNodes', nodePool: name, nodes: wanted, replicas };
      return left > 0 ? undefined : { kind: 'nodeLimit', nodePool: name, limit };
    },
    take: (): void => {
      left -= 1;
    },
  };
}

const replacementOf = (candidate: DisruptionCandidate, supply: PoolSupply): DisruptionCommand => ({
  reason: 'Drifted',
  candidates: [candidate],
  replacements: [sameAgain(supply)],
  destinations: [],
});

/** Whatever the template admits, for no pods in particular. */
const sameAgain = (supply: PoolSupply): NewNode => ({
  nodePool: supply.nodePool,
  requirements: templateRequirements(supply.nodePool),
  instanceTypes: suitableTypes(supply),
  requests: {},
  pods: [],
  minValuesRelaxed: false,
});
