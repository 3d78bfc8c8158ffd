import type { Pod } from '@nodewright/apis';
import { aNode, aPod, decideForBothWords, inheritedWords } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { chooseNode } from './choose.ts';
import { SchedulerCluster } from './cluster.ts';

type Round = {
  readonly pod: Pod;
  readonly labels?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly placed?: Pod;
};

/** What the scheduler chooses for a pod in a cluster of one node. */
function choose({ pod, labels = {}, allocatable = {}, placed }: Round): unknown {
  const cluster = new SchedulerCluster();
  const { node } = aNode('n', { labels, allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable } });
  if (node !== undefined) cluster.setNode(node);
  if (placed !== undefined) cluster.place(placed, 'n');
  return chooseNode(pod, { cluster, namespaces: new Map([['default', {}]]) });
}

const withWord = (word: string, value: string): Readonly<Record<string, string>> => Object.fromEntries([[word, value]]);
const web = { matchLabels: { app: 'web' } };
const hostname = 'kubernetes.io/hostname';

const affineNode = (key: string, operator: 'Exists' | 'DoesNotExist') =>
  aPod('p', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values: [] }] }],
        },
      },
    },
  });

const affinePod = (topologyKey: string, key: string) =>
  aPod('p', {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey, labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] } },
        ],
      },
    },
  });

const running = (labels: Readonly<Record<string, string>>) => aPod('running', { nodeName: 'n', labels });

const places: Readonly<Record<string, (word: string) => Round>> = {
  'a node selector': (word) => ({ pod: aPod('p', { nodeSelector: withWord(word, 'x') }) }),
  'a node selector that is met': (word) => ({
    pod: aPod('p', { nodeSelector: withWord(word, 'x') }),
    labels: withWord(word, 'x'),
  }),
  'a node label that must be': (word) => ({ pod: affineNode(word, 'Exists') }),
  'a node label that must not be': (word) => ({ pod: affineNode(word, 'DoesNotExist') }),
  'a requested resource': (word) => ({ pod: aPod('p', { requests: withWord(word, '1') }) }),
  'a requested resource that the node has': (word) => ({
    pod: aPod('p', { requests: withWord(word, '1') }),
    allocatable: withWord(word, '1'),
  }),
  'a pod label that no pod has': (word) => ({
    pod: affinePod(hostname, word),
    placed: running({ app: 'web' }),
  }),
  'a pod label that a pod has': (word) => ({ pod: affinePod(hostname, word), placed: running(withWord(word, 'x')) }),
  'a topology key of an affinity': (word) => ({ pod: affinePod(word, 'app'), placed: running({ app: 'web' }) }),
  'a topology key of a spread': (word) => ({
    pod: aPod('p', {
      labels: { app: 'web' },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: word, whenUnsatisfiable: 'DoNotSchedule', labelSelector: web },
      ],
    }),
  }),
  'a label key of a spread': (word) => ({
    pod: aPod('p', {
      labels: { app: 'web' },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: hostname,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: web,
          matchLabelKeys: [word],
        },
      ],
    }),
    placed: running({ app: 'web' }),
  }),
};

// Words with underscores at their ends are no label keys: the API server refuses them before.
describe.each(inheritedWords.filter((word) => !word.startsWith('__')))('the word %s', (word) => {
  test.each(Object.entries(places))('is like any other word: %s', async (_place, round) => {
    const { inherited, plain } = await decideForBothWords(word, (each) => choose(round(each)));
    expect(inherited).toBe(plain);
  });
});
