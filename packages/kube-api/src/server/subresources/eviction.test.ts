import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const pods = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const merge = { 'content-type': 'application/merge-patch+json' };
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";

type Body = Readonly<Record<string, unknown>>;

type World = {
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly budgets?: readonly { readonly spec?: Body; readonly status: Body }[];
};

/** A pod on a node, in a phase, with budgets whose status a controller has written. */
async function withPod({ phase = 'Running', isReady = true, budgets: wanted = [] }: World = {}) {
  const api = anApiServer();
  const containers = [{ name: 'c', image: 'registry.example/app:1' }];
  await api.send('POST', pods, { metadata: { name: 'p', labels: { a: 'b' } }, spec: { nodeName: 'n1', containers } });
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  await api.send('PATCH', `${pods}/p/status`, { status: { phase, conditions } }, merge);
  for (const [index, { spec, status }] of wanted.entries()) {
    const selector = { matchLabels: { a: 'b' } };
    const budget = { metadata: { name: `pdb-${index}` }, spec: { minAvailable: 2, selector, ...spec } };
    await api.send('POST', budgets, budget);
    const change = { status: { observedGeneration: 1, expectedPods: 3, ...status } };
    await api.send('PATCH', `${budgets}/pdb-${index}/status`, change, merge);
  }
  const evict = (body: unknown = { metadata: { name: 'p' } }, query = '') =>
    api.send('POST', `${pods}/p/eviction${query}`, body);
  const pod = async () => (await api.send('GET', `${pods}/p`)).body;
  const budget = async () => (await api.send('GET', `${budgets}/pdb-0`)).body;
  return { ...api, evict, pod, budget };
}

const free = { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 };
const full = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 };
const none = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0 };
const short = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 };

describe('an eviction', () => {
  test('without a budget marks the pod and says why', async () => {
    const { evict, pod } = await withPod();
    expect(await evict()).toMatchObject({ status: 201, body: { status: 'Success', code: 201 } });
    const { metadata, status } = (await pod()) as { readonly metadata: Body; readonly status: Body };
    expect(metadata).toMatchObject({ deletionTimestamp: '2024-01-28T00:00:30Z', deletionGracePeriodSeconds: 30 });
    expect(status['conditions']).toContainEqual({
      type: 'DisruptionTarget',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: '2024-01-28T00:00:00Z',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
  });

  test('takes a disruption from the budget and records the pod in it', async () => {
    const { evict, budget } = await withPod({ budgets: [{ status: free }] });
    expect(await evict()).toMatchObject({ status: 201 });
    expect((await budget())['status']).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: '2024-01-28T00:00:00Z' },
    });
  });

  test('is refused with 429 when the budget is exhausted', async () => {
    const { evict, pod } = await withPod({ budgets: [{ status: full }] });
    expect(await evict()).toMatchObject({
      status: 429,
      body: {
        reason: 'TooManyRequests',
        message: refusal,
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget pdb-0 needs 2 healthy pods and has 2 currently',
            },
          ],
        },
      },
    });
    expect((await pod())['metadata']).not.toHaveProperty('deletionTimestamp');
  });

  test('is refused, to be tried again in 10 seconds, before the budget is processed', async () => {
    const { evict } = await withPod({ budgets: [{ status: { ...free, observedGeneration: 0 } }] });
    const answer = await evict();
    expect(answer.headers['retry-after']).toBe('10');
    expect(answer).toMatchObject({
      status: 429,
      body: {
        message: refusal,
        details: {
          retryAfterSeconds: 10,
          causes: [{ message: 'The disruption budget pdb-0 is still being processed by the server.' }],
        },
      },
    });
  });

  test('is refused with 500 when two budgets select the pod', async () => {
    const { evict } = await withPod({ budgets: [{ status: free }, { status: free }] });
    expect(await evict()).toMatchObject({
      status: 500,
      body: {
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      },
    });
  });

  test('ignores budgets of other pods', async () => {
    const spec = { selector: { matchLabels: { a: 'other' } } };
    const { evict } = await withPod({ budgets: [{ spec, status: full }] });
    expect(await evict()).toMatchObject({ status: 201 });
  });

  test('of a pod that is being deleted succeeds again, whatever the budget says', async () => {
    const { evict } = await withPod({ budgets: [{ status: free }] });
    await evict();
    expect(await evict()).toMatchObject({ status: 201 });
  });

  test('checks the budget before the preconditions', async () => {
    const uid = '11111111-1111-1111-1111-111111111111';
    const body = { metadata: { name: 'p' }, deleteOptions: { preconditions: { uid } } };
    expect(await (await withPod({ budgets: [{ status: full }] })).evict(body)).toMatchObject({ status: 429 });
    expect(await (await withPod()).evict(body)).toMatchObject({ status: 409 });
  });

  test('uses the grace period of its options', async () => {
    const { evict, pod } = await withPod();
    await evict({ metadata: { name: 'p' }, deleteOptions: { gracePeriodSeconds: 5 } });
    expect((await pod())['metadata']).toMatchObject({ deletionGracePeriodSeconds: 5 });
  });
});

/** Pods that a full budget does not hold. */
const outside = [
  { fact: 'has succeeded', pod: { phase: 'Succeeded' }, status: full, spec: {}, answer: 201 },
  { fact: 'has failed', pod: { phase: 'Failed' }, status: full, spec: {}, answer: 201 },
  { fact: 'is pending', pod: { phase: 'Pending', isReady: false }, status: full, spec: {}, answer: 201 },
  { fact: 'is ready', pod: {}, status: full, spec: {}, answer: 429 },
  { fact: 'is not ready while enough others are', pod: { isReady: false }, status: full, spec: {}, answer: 201 },
  { fact: 'is not ready while others are missing', pod: { isReady: false }, status: short, spec: {}, answer: 429 },
  {
    fact: 'is not ready, with a budget that needs no pods',
    pod: { isReady: false },
    status: none,
    spec: {},
    answer: 429,
  },
  {
    fact: 'is not ready, with a budget for ready pods only',
    pod: { isReady: false },
    status: short,
    spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    answer: 201,
  },
  {
    fact: 'is ready, with a budget for ready pods only',
    pod: {},
    status: short,
    spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    answer: 429,
  },
] as const;
for (const { fact, pod, status, spec, answer } of outside) {
  test(`a pod that ${fact} is answered with ${answer}`, async () => {
    const { evict } = await withPod({ ...pod, budgets: [{ spec, status }] });
    expect(await evict()).toMatchObject({ status: answer });
  });
}

const refused = [
  {
    fact: 'another kind',
    body: { apiVersion: 'v1', kind: 'Pod' },
    message:
      'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
  },
  {
    fact: 'the name of another pod',
    body: { metadata: { name: 'other' } },
    message: 'name in URL does not match name in Eviction object',
  },
  {
    fact: 'no body',
    body: new Uint8Array(),
    message:
      "the object provided is unrecognized (must be of type Eviction): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  },
] as const;
for (const { fact, body, message } of refused) {
  test(`an eviction with ${fact} is refused`, async () => {
    const { evict } = await withPod();
    expect(await evict(body)).toMatchObject({ status: 400, body: { reason: 'BadRequest', message } });
  });
}

test('an eviction of an absent pod is not found', async () => {
  const { send } = anApiServer();
  expect(await send('POST', `${pods}/nope/eviction`, { metadata: { name: 'nope' } })).toMatchObject({
    status: 404,
    body: { message: 'pods "nope" not found' },
  });
});

test('two evictions of one budget that allows one: the second is refused', async () => {
  const { send, evict } = await withPod({ budgets: [{ status: free }] });
  const containers = [{ name: 'c', image: 'registry.example/app:1' }];
  await send('POST', pods, { metadata: { name: 'q', labels: { a: 'b' } }, spec: { nodeName: 'n1', containers } });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await send('PATCH', `${pods}/q/status`, { status: { phase: 'Running', conditions } }, merge);
  expect(await evict()).toMatchObject({ status: 201 });
  expect(await send('POST', `${pods}/q/eviction`, { metadata: { name: 'q' } })).toMatchObject({ status: 429 });
});
