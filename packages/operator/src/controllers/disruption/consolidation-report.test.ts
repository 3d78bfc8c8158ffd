import { karpenterLabels } from '@nodewright/apis';
import type { DisruptionCandidate, DisruptionMethod, MoveScore, NewNode, WeighedMove } from '@nodewright/engine';
import { parseRequirements } from '@nodewright/requirements';
import { aNode, aNodePool, anInstanceType } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import { moveText, reportMoves } from './consolidation-report.ts';

const candidate = (name: string, nodePool = aNodePool()): DisruptionCandidate => ({
  state: aNode(name),
  nodePool,
  reschedulable: [],
  priceMicroUsdPerHour: 300_000,
  rescheduleCost: 1,
});

const replacement = (...types: readonly string[]): NewNode => ({
  nodePool: aNodePool(),
  requirements: parseRequirements([{ key: karpenterLabels.capacityType, operator: 'In', values: ['on-demand'] }]),
  instanceTypes: types.map((name) => anInstanceType(name, { cpu: 2 })),
  requests: {},
  pods: [],
  minValuesRelaxed: false,
});

const aMove = (
  candidates: readonly DisruptionCandidate[],
  replacements: readonly NewNode[] = [],
  scores: readonly MoveScore[] = [],
): WeighedMove => ({
  move: { candidates, replacements, destinations: [] },
  scores,
});

const score = (isApproved: boolean): MoveScore => ({
  nodePool: 'default',
  savingsShare: 0.5,
  disruptionShare: 1,
  score: isApproved ? 0.5 : 0.2,
  threshold: 0.5,
  isApproved,
});

const reported = (
  consolidationType: 'single' | 'multi',
  found: WeighedMove | undefined,
  outweighed: readonly WeighedMove[] = [],
) => {
  const method: DisruptionMethod = {
    name: 'any',
    reason: 'Underutilized',
    consolidationType,
    plan: () => ({ commands: [], eligible: [], blocked: [] }),
  };
  const search = { outweighed, refused: [], looked: [], isHeldByBudgets: false, isCutShort: false };
  const plan = { commands: [], eligible: [], blocked: [], search: found === undefined ? search : { ...search, found } };
  return printEntries(reportMoves({ method, plan }));
};

test('a replacement that is known is told on the node and its claim, with what it saves', () => {
  const command = 'replace node a/c4/on-demand with one of c2 (on-demand)';
  expect(reported('single', aMove([candidate('a')], [replacement('c2')]))).toEqual([
    expect.stringMatching(
      /^Normal ConsolidationCandidate Node\/a: Consolidation candidate: .* \(savings: \$0\.\d\d\) \(uid-a, /,
    ),
    expect.stringContaining(
      `Normal ConsolidationCandidate NodeClaim/a-claim: Consolidation candidate: ${command} (savings: `,
    ),
    'moveWeighed {"nodePool":"default","policy":"WhenEmptyOrUnderutilized","isApproved":true}',
  ]);
});

test('a node that only goes is counted, and told when it goes', () => {
  expect(reported('single', aMove([candidate('a')]))).toEqual([
    'moveWeighed {"nodePool":"default","policy":"WhenEmptyOrUnderutilized","isApproved":true}',
  ]);
});

test('a pool with the Balanced policy agrees on the node', () => {
  const balanced = aNodePool('default', { disruption: { consolidateAfter: '0s', consolidationPolicy: 'Balanced' } });
  const lines = reported('single', aMove([candidate('a', balanced)], [], [score(true)]));
  expect(lines).toEqual([
    'moveWeighed {"nodePool":"default","policy":"Balanced","isApproved":true,"score":0.5}',
    expect.stringMatching(
      /^Normal ConsolidationApproved Node\/a: Consolidation approved: score 0.50 >= threshold 0.50 \(k: 2\): it saves .* \(uid-a\)$/,
    ),
    expect.stringMatching(/^Normal ConsolidationApproved NodeClaim\/a-claim: /),
  ]);
});

test('for several nodes the pool itself hears that the policy agrees', () => {
  const lines = reported('multi', aMove([candidate('a'), candidate('b')], [], [score(true)]));
  expect(lines.filter((line) => line.includes('ConsolidationApproved'))).toEqual([
    expect.stringMatching(/^Normal ConsolidationApproved NodePool\/default: .* \(uid-default\)$/),
  ]);
});

for (const { fact, type, counted } of [
  { fact: 'every move of a search for one node', type: 'single', counted: 3 },
  { fact: 'the last move of a search for several nodes', type: 'multi', counted: 1 },
] as const) {
  test(`the verdicts are counted of ${fact}`, () => {
    const outweighed = ['a', 'b', 'c'].map((name) => aMove([candidate(name)], [], [score(false)]));
    expect(reported(type, undefined, outweighed)).toEqual(
      Array.from(
        { length: counted },
        () => 'moveWeighed {"nodePool":"default","policy":"WhenEmptyOrUnderutilized","isApproved":false,"score":0.2}',
      ),
    );
  });
}

for (const { fact, names, types, text } of [
  { fact: 'one node that goes', names: ['a'], types: [], text: 'delete node a/c4/on-demand' },
  { fact: 'a node and another one', names: ['a', 'b'], types: [], text: 'delete node a/c4/on-demand and 1 other' },
  {
    fact: 'several nodes and what takes over from them',
    names: ['a', 'b', 'c'],
    types: ['c2', 'd2'],
    text: 'replace node a/c4/on-demand and 2 others with one of c2, d2 (on-demand)',
  },
]) {
  test(`a move is written as ${fact}`, () => {
    const candidates = names.map((name) => candidate(name));
    const replacements = types.length === 0 ? [] : [replacement(...types)];
    expect(moveText({ candidates, replacements }, aNode('a'))).toBe(text);
  });
}
