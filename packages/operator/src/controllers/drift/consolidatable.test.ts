import { conditionOf, fromTimestamp, type Condition, type NodeClaim } from '@nodewright/apis';
import { aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { planConsolidatable } from './consolidatable.ts';

const initializedAt = '2024-01-28T16:00:00Z';
const minutes = (count: number) => fromTimestamp(initializedAt) + count * 60_000;
const at = (count: number) => new Date(minutes(count)).toISOString().replace('.000Z', 'Z');

type Traits = { readonly initialized?: boolean; readonly lastPodEvent?: number; readonly marked?: boolean };

function aClaim({ initialized = true, lastPodEvent, marked = false }: Traits): NodeClaim {
  const condition = (type: string): Condition => ({ type, status: 'True', lastTransitionTime: initializedAt });
  return {
    metadata: { name: 'default-abcde' },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
    status: {
      conditions: [
        ...(initialized ? [condition('Initialized')] : []),
        ...(marked ? [condition('Consolidatable')] : []),
      ],
      ...(lastPodEvent === undefined ? {} : { lastPodEventTime: at(lastPodEvent) }),
    },
  };
}

const policy = (consolidateAfter: string) => ({ consolidateAfter }) as const;

for (const { fact, claim, after, now, is, recheck } of [
  { fact: 'is consolidatable at once when nothing has to be waited for', claim: {}, after: '0s', now: 0, is: true },
  { fact: 'has to be quiet for a while after it began', claim: {}, after: '5m', now: 4, is: false, recheck: 5 },
  { fact: 'is consolidatable when it has been', claim: {}, after: '5m', now: 5, is: true },
  { fact: 'counts from the last pod event', claim: { lastPodEvent: 3 }, after: '5m', now: 6, is: false, recheck: 8 },
  {
    fact: 'loses the mark with a new pod event',
    claim: { lastPodEvent: 3, marked: true },
    after: '5m',
    now: 6,
    is: false,
    recheck: 8,
  },
  {
    fact: 'is never consolidatable when the pool says so',
    claim: { marked: true },
    after: 'Never',
    now: 60,
    is: false,
  },
  {
    fact: 'is not consolidatable before it is initialized',
    claim: { initialized: false },
    after: '0s',
    now: 60,
    is: false,
  },
] as const) {
  test(`a claim ${fact}`, () => {
    const pool = aNodePool('default', { disruption: policy(after) });
    const plan = planConsolidatable(aClaim(claim), pool, fromTimestamp(at(now)));
    expect(conditionOf(plan.after, 'Consolidatable')?.status).toBe(is ? 'True' : undefined);
    expect(plan.recheckAt).toBe(recheck === undefined ? undefined : minutes(recheck));
  });
}

test('a claim of a static pool is never consolidatable', () => {
  const pool = aNodePool('default', { replicas: 3, disruption: policy('0s') });
  expect(
    conditionOf(planConsolidatable(aClaim({}), pool, fromTimestamp(at(9))).after, 'Consolidatable'),
  ).toBeUndefined();
});
