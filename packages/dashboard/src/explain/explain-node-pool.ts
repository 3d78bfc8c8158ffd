import { conditionOf, type Instant, type NodePool } from '@nodewright/apis';
import {
  type InstanceType,
  nodeNameOf,
  nodePoolNameOf,
  overlaysAtWork,
  type PoolSupply,
  printedReasons,
  suitableTypes,
  whyNothingToLaunch,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { describeTroubledConditions } from './condition-words.ts';
import { budgetsNow } from './explain-budget.ts';
import { explainNode } from './explain-node.ts';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { describeHourlyCost } from '../rows/hourly-prices.ts';
import { spellNodeCount } from '../rows/node-stages.ts';
import { createPriceReader } from './node-amounts.ts';
import { findNamed, lookAhead } from './explanation.ts';
import { describeGates, describePoolGate } from './rollout-gates.ts';

/** What NodeOverlays change about the types of a pool. */
function overlaysOn(types: readonly InstanceType[]): readonly string[] {
  const { prices, resources } = overlaysAtWork(types);
  const told =
    (what: string) =>
    ([name, count]: readonly [string, number]) =>
      `NodeOverlay ${name} changes ${what} of ${count} instance types`;
  return [...[...prices].map(told('the price')), ...[...resources].map(told('the resources'))];
}

function describeLackOfTypes(supply: PoolSupply): readonly string[] {
  const why = whyNothingToLaunch(supply);
  return why === undefined ? [] : printedReasons([why]);
}

function describePoolCost(prices: readonly (number | undefined)[]): string {
  const known = prices.filter((price) => price !== undefined);
  const sum = known.reduce((total, price) => total + price, 0);
  return `its ${spellNodeCount(prices.length)}: ${describeHourlyCost(sum, prices.length - known.length)}`;
}

function describeLaunches({ spec }: NodePool, supply: PoolSupply | undefined, isUnsupplied: boolean): string {
  const of = `of EC2NodeClass ${spec.template.spec.nodeClassRef.name}`;
  if (supply === undefined && isUnsupplied)
    return `may launch nodes; of which instance types ${of} is not known here, because AWS does not tell them`;
  const suitable = supply === undefined ? 0 : suitableTypes(supply).length;
  return `launches nodes of ${suitable} instance types now, of ${supply?.instanceTypes.length ?? 0} ${of}`;
}

/** Whether a NodePool launches, what it may disrupt, and what each of its nodes waits for. */
export function explainNodePool(
  name: string,
  reading: Pick<
    ClusterReading,
    'nodePools' | 'nodeClaims' | 'nodeGroups' | 'disruption' | 'spotToSpot' | 'unsuppliedPools'
  > &
    Partial<Pick<ClusterReading, 'rollouts'>>,
  now: Instant,
): Explanation {
  const pool = findNamed('NodePool', reading.nodePools, name);
  const { nodes, supplies, staticSupplies = [] } = reading.disruption;
  const supply = [...supplies, ...staticSupplies].find(({ nodePool }) => nodePool.metadata.name === name);
  const ready = conditionOf(pool, 'Ready')?.status === 'True';
  const ownNodes = nodes.filter((state) => nodePoolNameOf(state) === name);
  const own = ownNodes.map(nodeNameOf);
  const prices = ownNodes.map(createPriceReader(reading.disruption));
  const gateAnswer = (node: string): string | undefined => describeGates(reading.rollouts ?? [], [node], now)?.answer;
  const budgets = budgetsNow(pool, nodes, now);
  return {
    subject: { kind: 'NodePool', name },
    answer: ready ? describeLaunches(pool, supply, reading.unsuppliedPools.has(name)) : 'launches nothing now',
    reasons: [
      ...describeTroubledConditions(pool.status?.conditions),
      ...describePoolGate(reading.rollouts ?? [], pool),
      ...(supply === undefined ? [] : describeLackOfTypes(supply)),
      ...overlaysOn(supply?.instanceTypes ?? []),
      ...(own.length === 0 ? [] : [describePoolCost(prices)]),
      `may disrupt now: ${budgets.answer}`,
      ...budgets.reasons,
      ...own.map((node) => `${node} ${gateAnswer(node) ?? explainNode(node, reading, now).answer}`),
    ],
    seeAlso: lookAhead,
  };
}
