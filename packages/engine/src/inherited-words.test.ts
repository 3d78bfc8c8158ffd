import type { Affinity, NodePool, Pod } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, decideForBothWords, inheritedWords } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { NodeState } from './cluster/node-state.ts';
import { printedReasons } from './solve/why/printed-reasons.ts';
import { schedulePods } from './solve/round/schedule.ts';

const types = [2, 8].map((cpu) => anInstanceType(`c${cpu}`, { cpu }));
const withWord = <V>(word: string, value: V): Record<string, V> => Object.fromEntries([[word, value]]);

type Round = { readonly pods: readonly Pod[]; readonly nodePool?: NodePool; readonly nodes?: readonly NodeState[] };

/** What a round decides: where each pod goes, or every reason why it goes nowhere. */
function decide({ pods, nodePool = aNodePool(), nodes = [] }: Round): unknown {
  const { newNodes, unschedulable, existing } = schedulePods({
    nodePools: [{ nodePool, instanceTypes: types }],
    nodes,
    pods,
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  });
  return {
    newNodes: newNodes.map(({ instanceTypes, pods: placed }) => [instanceTypes.map(({ name }) => name), placed.length]),
    existing: existing.map(({ pods: placed }) => placed.length),
    unschedulable: unschedulable.map(({ reasons }) => printedReasons(reasons)),
  };
}

const nodeTerm = (key: string, operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', values: string[] = []) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
      },
    },
  },
});

const near = (topologyKey: string, labelKey: string): { readonly affinity: Affinity } => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey, labelSelector: { matchExpressions: [{ key: labelKey, operator: 'Exists' }] } },
      ],
    },
  },
});

const hostname = 'kubernetes.io/hostname';
const running = (labels: Readonly<Record<string, string>>) => aPod('running', { nodeName: 'n', labels });

const places: Readonly<Record<string, (word: string) => Round>> = {
  'a node selector': (word) => ({ pods: [aPod('p', { nodeSelector: withWord(word, 'x') })] }),
  'a node selector that the pool meets': (word) => ({
    pods: [aPod('p', { nodeSelector: withWord(word, 'x') })],
    nodePool: aNodePool('default', { labels: withWord(word, 'x') }),
  }),
  'a required node label': (word) => ({ pods: [aPod('p', nodeTerm(word, 'Exists'))], nodes: [aNode('n')] }),
  'a node label that must not be': (word) => ({
    pods: [aPod('p', nodeTerm(word, 'DoesNotExist'))],
    nodes: [aNode('n')],
  }),
  'a node label with a wrong value': (word) => ({
    pods: [aPod('p', nodeTerm(word, 'NotIn', ['x']))],
    nodes: [aNode('n', { labels: withWord(word, 'x') })],
  }),
  'a requirement of the pool': (word) => ({
    pods: [aPod('p')],
    nodePool: aNodePool('default', { requirements: [{ key: word, operator: 'In', values: ['x'] }] }),
  }),
  'a requested resource': (word) => ({ pods: [aPod('p', { requests: withWord(word, 1) })], nodes: [aNode('n')] }),
  'a requested resource that a node has': (word) => ({
    pods: [aPod('p', { requests: withWord(word, 1) }), aPod('q', { requests: withWord(word, 1) })],
    nodes: [aNode('n', { allocatable: { cpu: '4', pods: '10', ...withWord(word, '1') } })],
  }),
  'a limit of the pool': (word) => ({
    pods: [aPod('p')],
    nodePool: aNodePool('default', { limits: withWord(word, '1') }),
  }),
  'a taint of the pool': (word) => ({
    pods: [aPod('p')],
    nodePool: aNodePool('default', { taints: [{ key: word, effect: 'NoSchedule' }] }),
  }),
  'a toleration': (word) => ({
    pods: [aPod('p', { tolerations: [{ key: word, operator: 'Exists' }] })],
    nodePool: aNodePool('default', { taints: [{ key: word, effect: 'NoSchedule' }] }),
  }),
  'a topology key of a spread': (word) => ({
    pods: [
      aPod('p', {
        labels: { app: 'web' },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: word,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'web' } },
          },
        ],
      }),
    ],
    nodes: [aNode('n')],
  }),
  'a topology key of an affinity': (word) => ({
    pods: [aPod('p', near(word, 'app'))],
    nodes: [aNode('n', { pods: [running({ app: 'web' })] })],
  }),
  'a label that no pod has': (word) => ({
    pods: [aPod('p', near(hostname, word))],
    nodes: [aNode('n', { pods: [running({ app: 'web' })] })],
  }),
  'a label that a pod has': (word) => ({
    pods: [aPod('p', near(hostname, word))],
    nodes: [aNode('n', { pods: [running(withWord(word, 'x'))] })],
  }),
  'a label key that spreads by revision': (word) => ({
    pods: [
      aPod('p', {
        labels: { app: 'web' },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: hostname,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'web' } },
            matchLabelKeys: [word],
          },
        ],
      }),
    ],
  }),
};

describe.each(inheritedWords)('the word %s', (word) => {
  test.each(Object.entries(places))('is like any other word: %s', async (_place, round) => {
    const { inherited, plain } = await decideForBothWords(word, (each) => decide(round(each)));
    expect(inherited).toBe(plain);
  });
});
