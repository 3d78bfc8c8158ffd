import { fromTimestamp, karpenterAnnotations, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import { ApiError, backOff, type Result, settled, virtualTime } from '@nodewright/runtime';
import { aPod } from '@nodewright/testkit';
import { printEntries } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import type { ReportEntry } from '../../reporting/report-entry.ts';
import type { Objects } from '../../state/objects.ts';
import { GrantedEvictions } from './granted-evictions.ts';
import { evictionKey } from './key.ts';
import { evictionReconciler } from './reconciler.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');

type Given = {
  readonly pod?: Pod | undefined;
  readonly node?: object;
  readonly claim?: object;
  readonly budgets?: readonly PodDisruptionBudget[];
  /** What the Eviction API throws. */
  readonly refusal?: Error;
};

const onNode = (name = 'web', more: Partial<Pod['metadata']> = {}): Pod => {
  const pod = aPod(name, { nodeName: 'ip-a' });
  return { ...pod, metadata: { ...pod.metadata, namespace: 'team', uid: `uid-${name}`, ...more } };
};

const apiError = (code: number, reason: string, message: string): ApiError =>
  new ApiError({ kind: 'Status', status: 'Failure', code, reason, message });

/** One turn of the controller for the pod that was asked to leave. */
async function turn(asked: Pod, { refusal, budgets = [], claim, node, ...given }: Given) {
  const pod = 'pod' in given ? given.pod : asked;
  const calls: unknown[] = [];
  const told: ReportEntry[] = [];
  const objects = {
    pods: {
      get: (name: string, namespace: string) =>
        pod?.metadata.name === name && pod.metadata.namespace === namespace ? pod : undefined,
      delete: async (gone: Pod, options: object) => void calls.push(['delete', gone.metadata.name, options]),
    },
    nodes: { get: (name: string) => (name === 'ip-a' ? node : undefined) },
    nodeClaims: { by: () => (claim === undefined ? [] : [claim]) },
    podDisruptionBudgets: { by: (_index: string, namespace: string) => (namespace === 'team' ? budgets : []) },
  } as unknown as Objects;
  const { clock } = virtualTime(now);
  const reconcile = evictionReconciler({
    objects,
    clock,
    granted: new GrantedEvictions(clock),
    client: {
      evict: async (key, options) => {
        calls.push(['evict', key, options]);
        if (refusal !== undefined) throw refusal;
      },
    },
    publish: (entries) => void told.push(...entries),
  });
  const again = async (): Promise<Result | string> => {
    try {
      return await reconcile(evictionKey(asked), new AbortController().signal);
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { result: await again(), again, calls, told };
}

test('a pod is asked to leave once, by its uid, and not again while its eviction is fresh', async () => {
  const { result, again, calls, told } = await turn(onNode(), {});
  expect(printEntries(told)).toEqual([
    'evictionRequested 200',
    'podDrained ""',
    'Normal Evicted Pod/web: Evicted pod:  (web)',
  ]);
  expect([result, await again()]).toEqual([settled, settled]);
  expect(calls).toEqual([['evict', { name: 'web', namespace: 'team' }, { preconditions: { uid: 'uid-web' } }]]);
});

describe('the pod is left alone', () => {
  for (const { fact, pod } of [
    { fact: 'that is gone', pod: undefined },
    { fact: 'that only has the name of the one that was asked', pod: onNode('web', { uid: 'uid-other' }) },
    { fact: 'that is on its way out', pod: onNode('web', { deletionTimestamp: '2024-03-01T12:00:30Z' }) },
  ]) {
    test(fact, async () => {
      const { result, calls } = await turn(onNode(), { pod });
      expect({ result, calls }).toEqual({ result: settled, calls: [] });
    });
  }
});

describe('an eviction that is refused', () => {
  const none = apiError(429, 'TooManyRequests', 'Cannot evict pod as it would violate the disruption budget.');
  const two = apiError(500, 'InternalError', 'This pod has more than one PodDisruptionBudget, which is not supported.');
  for (const { fact, refusal, result } of [
    { fact: 'by a budget is tried again', refusal: none, result: backOff },
    { fact: 'by two budgets is tried again', refusal: two, result: backOff },
    {
      fact: 'because the pod is gone is done',
      refusal: apiError(404, 'NotFound', 'pods "web" not found'),
      result: settled,
    },
    { fact: 'because another pod has the name is done', refusal: apiError(409, 'Conflict', 'uid'), result: settled },
    { fact: 'for another reason is an error', refusal: apiError(500, 'InternalError', 'etcd'), result: 'etcd' },
    {
      fact: 'with the words of two budgets but another code is an error',
      refusal: apiError(503, 'ServiceUnavailable', 'more than one PodDisruptionBudget'),
      result: 'more than one PodDisruptionBudget',
    },
    { fact: 'by no answer at all is an error', refusal: new Error('socket hang up'), result: 'socket hang up' },
  ]) {
    test(fact, async () => {
      const { result: outcome, again, calls } = await turn(onNode(), { refusal });
      expect(outcome).toEqual(result);
      await again();
      expect(calls).toHaveLength(2);
    });
  }

  test('by no answer at all is no answer that is counted', async () => {
    const { told } = await turn(onNode(), { refusal: new Error('socket hang up') });
    expect(told).toEqual([]);
  });
});

test('a pod whose grace period outlasts the deadline of its node is deleted, with the seconds that are left', async () => {
  const annotations = { [karpenterAnnotations.terminationTimestamp]: '2024-03-01T12:00:20Z' };
  const claim = {
    metadata: { name: 'default-1', annotations },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
    status: { nodeName: 'ip-a', providerID: 'aws:///a/i-1' },
  };
  const node = { metadata: { name: 'ip-a' }, spec: { providerID: 'aws:///a/i-1' } };
  const { result, calls } = await turn(onNode(), { claim, node });
  expect(result).toEqual(settled);
  expect(calls).toEqual([['delete', 'web', { gracePeriodSeconds: 20 }]]);
});

test('a pod that may not be disrupted is asked again later', async () => {
  const pod = onNode('web', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
  const { result, calls } = await turn(pod, {});
  expect({ result, calls }).toEqual({ result: backOff, calls: [] });
});
