import {
  aLoosePool,
  anInstanceType,
  aQuietNode,
  aRunningPod,
  aSnapshot,
  judgementOfTest,
  reservedOffering,
} from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { candidacyOf } from '../candidates/candidate.ts';
import { considerMove, type ConsolidationJudgement } from './consider.ts';
import { printedRefusal } from '../moves/refusal.ts';

/** What becomes of node `n` with a pod of that many cores. */
function replaced(judgement: ConsolidationJudgement): { readonly by?: string; readonly because?: string } {
  const state = judgement.seen.nodes.find(({ node }) => node?.metadata.name === 'n');
  const context = {
    ...judgement.seen,
    rules: judgement.rules,
    disruptionClass: 'graceful',
    reason: 'Underutilized',
    now: judgement.now,
  } as const;
  const candidacy = state && candidacyOf(state, context);
  if (candidacy?.kind !== 'candidate') throw new Error('node n is no candidate');
  const consideration = considerMove([candidacy.candidate], judgement);
  if (consideration.kind === 'refused') return { because: printedRefusal(consideration.refusal) };
  const [newNode] = consideration.move.replacements;
  const kinds = [...(newNode?.requirements.get('karpenter.sh/capacity-type')?.values ?? ['any'])].toSorted();
  return {
    by:
      newNode === undefined ? 'nothing' : `${kinds.join('|')} ${newNode.instanceTypes.map(({ name }) => name).join()}`,
  };
}

const onDemandOnly = aLoosePool('default', {
  requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
});
const large = (capacityType: string, traits: Parameters<typeof aQuietNode>[1] = {}) =>
  aQuietNode('n', { instanceType: 'c16', capacityType, pods: [aRunningPod('web', 'n', 3)], ...traits });

describe('a node on demand', () => {
  test('is replaced by what is cheaper, bought as spot alone lest it come back dearer', () => {
    expect(replaced(judgementOfTest(aSnapshot([large('on-demand')]))).by).toBe('spot c4,c8,c16');
  });
  test('is replaced on demand where the pool knows nothing else, by smaller types alone', () => {
    expect(replaced(judgementOfTest(aSnapshot([large('on-demand')], { pool: onDemandOnly }))).by).toBe(
      'on-demand c4,c8',
    );
  });
  test('stays where what its pods need costs as much', () => {
    const small = aQuietNode('n', { pods: [aRunningPod('web', 'n', 3)] });
    expect(replaced(judgementOfTest(aSnapshot([small], { pool: onDemandOnly }))).because).toBe(
      'a replacement would not be cheaper: the node costs $0.1600 per hour, the cheapest that its pods fit, c4, up to $0.1600 per hour',
    );
  });
  test('is not replaced by a type whose spot capacity costs more in another zone', () => {
    const uneven = anInstanceType('uneven', {
      cpu: 4,
      offerings: [
        ['zone-a', 'spot', 10_000],
        ['zone-b', 'spot', 700_000],
        ['zone-a', 'on-demand', 160_000],
      ],
    });
    const c16 = anInstanceType('c16', { cpu: 16, offerings: [['zone-a', 'on-demand', 640_000]] });
    expect(
      replaced(judgementOfTest(aSnapshot([large('on-demand')], { instanceTypes: [uneven, c16] }))).because,
    ).toContain('up to $0.6400 per hour');
  });
  test('is replaced on demand where no spot capacity is left', () => {
    const soldOut = [4, 16].map((cpu) =>
      anInstanceType(`c${cpu}`, {
        cpu,
        offerings: [
          ['zone-a', 'spot', cpu * 10_000, 'soldOut'],
          ['zone-a', 'on-demand', cpu * 40_000],
        ],
      }),
    );
    expect(replaced(judgementOfTest(aSnapshot([large('on-demand')], { instanceTypes: soldOut }))).by).toBe(
      'on-demand c4',
    );
  });
  test('is not replaced if nobody knows what it costs', () => {
    const elsewhere = large('on-demand', { zone: 'zone-z' });
    expect(replaced(judgementOfTest(aSnapshot([elsewhere]))).because).toContain('the node costs $0.0000 per hour');
  });
});

/** Spot types of four cores and up, each a little dearer than the one before. */
const ladder = (count: number, labels?: (rung: number) => Readonly<Record<string, readonly string[]>>) => [
  ...Array.from({ length: count }, (_, rung) =>
    anInstanceType(`rung-${String(rung).padStart(2, '0')}`, {
      cpu: 4,
      offerings: [['zone-a', 'spot', 50_000 + rung * 100]],
      labels: labels?.(rung) ?? {},
    }),
  ),
  anInstanceType('c16', { cpu: 16, offerings: [['zone-a', 'spot', 90_000]] }),
];

describe('a spot node', () => {
  const rungs = (count: number, around: Parameters<typeof aSnapshot>[1] = {}, isGateOn = true) =>
    replaced(judgementOfTest(aSnapshot([large('spot')], { instanceTypes: ladder(count), ...around }), isGateOn));

  test('is not replaced by spot without the gate, although that is cheaper', () => {
    expect(rungs(20, {}, false).because).toBe(
      'a spot node is replaced by another only with the feature gate SpotToSpotConsolidation: the node costs $0.0900 per hour, the cheapest that its pods fit, rung-00, up to $0.0500 per hour',
    );
  });
  test('is replaced with fifteen cheaper types to choose from, and not with fourteen', () => {
    expect(rungs(14).because).toContain('15 instance types cost less than its $0.0900 per hour: there are 14');
    expect(rungs(15).by).toMatch(/^spot rung-00,.*,rung-14$/);
  });
  test('is replaced by one of the fifteen cheapest', () => {
    expect(rungs(40).by).toMatch(/^spot rung-00,.*,rung-14$/);
  });
  test('stays if it is among the fifteen cheapest itself', () => {
    const among = aQuietNode('n', {
      instanceType: 'rung-10',
      capacityType: 'spot',
      pods: [aRunningPod('web', 'n', 3)],
    });
    expect(replaced(judgementOfTest(aSnapshot([among], { instanceTypes: ladder(40) }), true)).because).toContain(
      'there are 10',
    );
  });
  test('is replaced by more types where minValues wants them', () => {
    const key = 'example.com/rung';
    const pool = aLoosePool('default', { requirements: [{ key, operator: 'Exists', minValues: 22 }] });
    const instanceTypes = ladder(40, (rung) => ({ [key]: [`${rung}`] }));
    expect(rungs(40, { pool, instanceTypes }).by).toMatch(/^spot rung-00,.*,rung-21$/);
  });
  test('is replaced by reserved capacity without the gate, and never by what is on demand', () => {
    const reserved = anInstanceType('c4', { cpu: 4, offerings: [reservedOffering('cr-1', 1)] });
    const c16 = anInstanceType('c16', { cpu: 16, offerings: [['zone-a', 'spot', 90_000]] });
    expect(replaced(judgementOfTest(aSnapshot([large('spot')], { instanceTypes: [reserved, c16] }))).by).toBe(
      'reserved c4',
    );
    const cheap = anInstanceType('c4', { cpu: 4, offerings: [['zone-a', 'on-demand', 20_000]] });
    expect(
      replaced(judgementOfTest(aSnapshot([large('spot')], { instanceTypes: [cheap, c16], pool: onDemandOnly }))).by,
    ).toBe('on-demand c4');
  });
});

describe('minValues', () => {
  const family = 'example.com/family';
  const labelled = (name: string, cpu: number) => anInstanceType(name, { cpu, labels: { [family]: [name] } });
  const pool = (minValues: number) =>
    aLoosePool('default', {
      requirements: [
        { key: family, operator: 'Exists', minValues },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      ],
    });
  const instanceTypes = [labelled('c4', 4), labelled('c8', 8), labelled('c16', 16)];
  test('that cheaper types meet are no obstacle', () => {
    expect(replaced(judgementOfTest(aSnapshot([large('on-demand')], { pool: pool(2), instanceTypes }))).by).toBe(
      'on-demand c4,c8',
    );
  });
  test('that only dearer types meet keep the node', () => {
    expect(replaced(judgementOfTest(aSnapshot([large('on-demand')], { pool: pool(3), instanceTypes }))).because).toBe(
      'too few cheaper instance types: minValues of example.com/family asks for 3, 2 are left',
    );
  });
  test('are not given up to save money, even where they are to launch at all', () => {
    const around = { pool: pool(4), instanceTypes };
    const options = { preferencePolicy: 'Respect', minValuesPolicy: 'BestEffort' } as const;
    expect(replaced(judgementOfTest(aSnapshot([large('on-demand')], { ...around, options }))).because).toContain(
      'pod default/web would have no place',
    );
  });
});

test('a reserved node moves to a cheaper reservation', () => {
  const reserved = (name: string, cpu: number, price: number, remaining: number) =>
    anInstanceType(name, {
      cpu,
      offerings: [
        ['zone-a', 'reserved', price, remaining === 0 ? 'soldOut' : undefined, { id: `cr-${name}`, remaining }],
      ],
    });
  const instanceTypes = [reserved('c4', 4, 1, 1), reserved('c16', 16, 4, 0)];
  expect(replaced(judgementOfTest(aSnapshot([large('reserved')], { instanceTypes }))).by).toBe('reserved c4');
});

test('pods that fit on other nodes need no replacement', () => {
  const roomy = aQuietNode('roomy', { managed: false, capacityType: 'on-demand' });
  expect(replaced(judgementOfTest(aSnapshot([large('on-demand'), roomy]))).by).toBe('nothing');
});

test('pods that would need several new nodes keep theirs', () => {
  const pods = ['a', 'b'].map((name) => aRunningPod(name, 'n', 7));
  const large16 = anInstanceType('c16', { cpu: 16, offerings: [['zone-a', 'on-demand', 640_000, 'soldOut']] });
  const instanceTypes = [anInstanceType('c8', { cpu: 8 }), large16];
  expect(replaced(judgementOfTest(aSnapshot([large('on-demand', { pods })], { instanceTypes }))).because).toBe(
    'its pods would need 2 new nodes',
  );
});
