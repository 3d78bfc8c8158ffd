import type { Deployment, ReplicaSet } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { firstReplicas, nextScalings, type Rollout, sortSets } from './rollout.ts';

type Strategy = NonNullable<Deployment['spec']['strategy']>;

const aDeployment = (replicas: number, strategy: Strategy = {}): Deployment => ({
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:2' }] } },
    strategy,
  },
});

/** A ReplicaSet with so many pods wanted, of which so many are available. */
const aSet = (name: string, [wanted, available]: readonly [number, number]): ReplicaSet => ({
  metadata: { name },
  spec: { replicas: wanted, selector: {} },
  status: { replicas: wanted, availableReplicas: available },
});

const rolling = (maxSurge: number | string, maxUnavailable: number | string): Strategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

type Counts = readonly [wanted: number, available: number];
type Case = {
  readonly fact: string;
  readonly replicas: number;
  readonly strategy?: Strategy;
  readonly current: Counts;
  readonly old?: readonly Counts[];
  readonly oldPods?: number;
  readonly scaled: Readonly<Record<string, number>>;
};

const cases: readonly Case[] = [
  { fact: 'does nothing when level', replicas: 3, current: [3, 3], scaled: {} },
  { fact: 'follows the number of replicas up', replicas: 5, current: [3, 3], scaled: { current: 5 } },
  { fact: 'follows the number of replicas down', replicas: 1, current: [3, 3], scaled: { current: 1 } },
  {
    fact: 'adds a quarter at first, rounded up',
    replicas: 10,
    current: [0, 0],
    old: [[10, 10]],
    scaled: { current: 3 },
  },
  {
    fact: 'takes from the old what may be missing once all room is used',
    replicas: 10,
    current: [3, 0],
    old: [[10, 10]],
    scaled: { 'old-0': 8 },
  },
  {
    fact: 'waits for new pods when nothing may be missing',
    replicas: 3,
    strategy: rolling(1, 0),
    current: [1, 0],
    old: [[3, 3]],
    scaled: {},
  },
  {
    fact: 'takes an old pod for each new one that is available',
    replicas: 3,
    strategy: rolling(1, 0),
    current: [1, 1],
    old: [[3, 3]],
    scaled: { 'old-0': 2 },
  },
  {
    fact: 'removes old pods that do not work before working ones',
    replicas: 3,
    strategy: rolling(0, 1),
    current: [0, 0],
    old: [
      [2, 2],
      [1, 0],
    ],
    scaled: { 'old-1': 0 },
  },
  {
    fact: 'moves by one when neither surge nor absence is allowed',
    replicas: 2,
    strategy: rolling(0, 0),
    current: [0, 0],
    old: [[2, 2]],
    scaled: { 'old-0': 1 },
  },
  {
    fact: 'takes from the oldest first',
    replicas: 2,
    strategy: rolling(2, 0),
    current: [2, 2],
    old: [
      [1, 1],
      [1, 1],
    ],
    scaled: { 'old-0': 0, 'old-1': 0 },
  },
  {
    fact: 'that recreates removes all old pods',
    replicas: 2,
    strategy: { type: 'Recreate' },
    current: [0, 0],
    old: [[2, 2]],
    scaled: { 'old-0': 0 },
  },
  {
    fact: 'that recreates waits until the old pods are gone',
    replicas: 2,
    strategy: { type: 'Recreate' },
    current: [0, 0],
    old: [[0, 0]],
    oldPods: 1,
    scaled: {},
  },
  {
    fact: 'that recreates starts the new pods then',
    replicas: 2,
    strategy: { type: 'Recreate' },
    current: [0, 0],
    old: [[0, 0]],
    scaled: { current: 2 },
  },
];

for (const { fact, replicas, strategy, current, old = [], oldPods = 0, scaled } of cases) {
  test(`a rollout ${fact}`, () => {
    const rollout: Rollout = {
      deployment: aDeployment(replicas, strategy),
      current: aSet('current', current),
      old: old.map((counts, index) => aSet(`old-${index}`, counts)),
      oldPods,
    };
    const scalings = nextScalings(rollout).map(({ set, to }) => [set.metadata.name, to]);
    expect(Object.fromEntries(scalings)).toEqual(scaled);
  });
}

test('the set of a new template starts as large as the surge allows', () => {
  const old = [aSet('old-0', [10, 10])];
  expect(firstReplicas({ deployment: aDeployment(10), current: undefined, old, oldPods: 10 })).toBe(3);
  expect(firstReplicas({ deployment: aDeployment(10), current: undefined, old: [], oldPods: 0 })).toBe(10);
});

test('the set with the present template is in charge, whatever its hash label', () => {
  const deployment = aDeployment(1);
  const { template } = deployment.spec;
  const labels = { ...template.metadata?.labels, 'pod-template-hash': 'abc' };
  const same: ReplicaSet = {
    metadata: { name: 'web-abc' },
    spec: { selector: {}, template: { ...template, metadata: { labels } } },
  };
  const other: ReplicaSet = {
    metadata: { name: 'web-def' },
    spec: { selector: {}, template: { spec: { containers: [] } } },
  };
  expect(sortSets(deployment, [other, same])).toEqual({ current: same, old: [other] });
});
