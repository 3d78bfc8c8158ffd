import { type NodeRollout, nodeRollouts, type NodeRolloutStatus } from '@nodewright/apis';
import { ConnectionError, type KubernetesClient } from '@nodewright/runtime';
import { aFollowedCluster, anApiError, failFirstReads } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { waitForAnswer } from './request.ts';
import { followRollout } from './watch.ts';

const at = '2024-01-28T16:00:00Z';
const variant = 'AL2023/amd64/none';
const rollout: NodeRollout = {
  metadata: { name: 'web-1' },
  spec: { policy: 'web', number: 1, cause: 'NewRelease', from: [], to: [], kubernetesVersion: '1.28', members: 12 },
};
const counts = { total: 12, updated: 1, failed: 0, remaining: 11 };

/** What happens at a second: the controller writes a status, or something else. */
type Act = NodeRolloutStatus | ((client: KubernetesClient) => Promise<unknown>);
type Acts = Readonly<Record<number, Act>>;

const keep = (client: KubernetesClient, status: NodeRolloutStatus) =>
  client.patch(nodeRollouts, { name: 'web-1' }, { type: 'merge', patch: { status } }, { subresource: 'status' });

async function aScriptedRollout(acts: Acts) {
  const script = Object.entries(acts).map(([second, act]) => [
    second,
    typeof act === 'function' ? act : (to: KubernetesClient) => keep(to, act),
  ]);
  const cluster = aFollowedCluster(Object.fromEntries(script));
  return { ...cluster, stored: await cluster.do(cluster.client.create(nodeRollouts, rollout)) };
}

describe('a rollout that is watched', () => {
  const watch = async (acts: Acts, timeoutMs = 60_000, fail?: { readonly times: number; readonly with: Error }) => {
    const { client, clock, tell, told, stored, ...cluster } = await aScriptedRollout(acts);
    const read = fail === undefined ? client : failFirstReads(client, fail.times, () => fail.with);
    const { rollout: last, isTimedOut } = await cluster.do(followRollout(read, stored, { clock, timeoutMs, tell }));
    return { state: last.status?.state, isTimedOut, told, seconds: cluster.countSeconds() };
  };
  const progressing = { state: 'Progressing', wave: 'canary', ...counts } as const;
  const pending = '0s Pending                      0 of 0 updated, 0 failed, 0 to go';

  test.each<readonly [fact: string, acts: Acts, state: string, told: readonly string[]]>([
    [
      'is told of until it is complete',
      {
        2: progressing,
        4: { ...progressing, updated: 2, remaining: 10 },
        6: { ...progressing, state: 'Complete', wave: 'all', updated: 12, remaining: 0, endedAt: at },
      },
      'Complete',
      [
        pending,
        '2s Progressing, wave canary     1 of 12 updated, 0 failed, 11 to go',
        '4s Progressing, wave canary     2 of 12 updated, 0 failed, 10 to go',
        '6s Complete                     12 of 12 updated, 0 failed, 0 to go',
      ],
    ],
    [
      'ends the watch when it halts, with the node that failed',
      {
        1: {
          ...progressing,
          state: 'Halted',
          failed: 1,
          halted: { at, reason: 'FailureBudgetExceeded', message: '1 node failed', variants: [variant], rules: [] },
          failures: [{ node: 'default-x7', nodeName: 'node-7', variant, signal: 'lease', evidence: 'silent', at }],
        },
      },
      'Halted',
      [
        pending,
        '1s Halted, wave canary          1 of 12 updated, 1 failed, 11 not moved',
        '1s   node-7 (default-x7) failed, lease: silent',
      ],
    ],
    [
      'ends the watch when another one takes its place',
      { 3: { ...progressing, state: 'Superseded', endedAt: at } },
      'Superseded',
      [pending, '3s Superseded                   1 of 12 updated, 0 failed, 11 not moved'],
    ],
    [
      'tells what people asked of it',
      {
        1: progressing,
        2: { ...progressing, log: [{ request: 'halt', value: 'INC-7', by: 'ann', at, answer: 'halted' }] },
        3: { ...progressing, state: 'Complete', endedAt: at },
      },
      'Complete',
      [
        pending,
        '1s Progressing, wave canary     1 of 12 updated, 0 failed, 11 to go',
        '2s   halt asked by ann: halted',
        '3s Complete                     1 of 12 updated, 0 failed, 11 not moved',
      ],
    ],
  ])('%s', async (_, acts, state, told) => {
    expect(await watch(acts)).toMatchObject({ state, isTimedOut: false, told });
  });

  test.each([
    [0, 0],
    [1, 1],
    [5_000, 5],
    [5_001, 6],
  ])('for %i ms is given up after %i s', async (timeoutMs, seconds) => {
    expect(await watch({}, timeoutMs)).toMatchObject({ isTimedOut: true, seconds, told: [pending] });
  });

  test('may be out of reach for a while: what happened meanwhile is told then', async () => {
    const failure = new ConnectionError('GET /', new Error('refused'));
    expect(await watch({ 1: { state: 'Complete', endedAt: at } }, 60_000, { times: 2, with: failure })).toEqual({
      state: 'Complete',
      isTimedOut: false,
      seconds: 2,
      told: [
        '0s no answer for now: GET /: no answer (refused)',
        pending,
        '1s no answer for now: GET /: no answer (refused)',
        '2s Complete                     0 of 0 updated, 0 failed, 0 to go',
      ],
    });
  });

  test.each([
    [500, 'the server is down', true],
    [429, 'too many requests', true],
    [403, 'no right to read NodeRollouts', false],
    [401, 'who are you', false],
  ])('goes on after an answer %i: %s', async (code, message, goesOn) => {
    const watching = watch({ 3: { state: 'Complete', endedAt: at } }, 60_000, {
      times: 1,
      with: anApiError(code, message),
    });
    if (goesOn) expect(await watching).toMatchObject({ state: 'Complete' });
    else await expect(watching).rejects.toThrow(message);
  });

  test('that is deleted ends the watch as a failure', async () => {
    const acts = { 2: (client: KubernetesClient) => client.delete(nodeRollouts, { name: 'web-1' }) };
    await expect(watch(acts)).rejects.toThrow('NodeRollout web-1 was deleted meanwhile');
  });
});

describe('the answer to a request', () => {
  const request = { kind: 'halt', value: 'INC-7' } as const;
  const entry = { request: 'halt', value: 'INC-7', by: 'nodewright', at, answer: 'halted' } as const;
  const wait = async (acts: Acts, { timeoutMs = 30_000, log = [] }: { timeoutMs?: number; log?: Log } = {}) => {
    const { client, clock, ...cluster } = await aScriptedRollout(acts);
    const asked = await cluster.do(keep(client, { log: [...log] }));
    const answer = await cluster.do(waitForAnswer(client, { rollout: asked, request, timeoutMs, clock }));
    return { answer: answer?.answer, seconds: cluster.countSeconds() };
  };
  type Log = NonNullable<NodeRolloutStatus['log']>;

  test.each<readonly [fact: string, acts: Acts, log: Log, answer: string | undefined, seconds: number]>([
    ['is waited for', { 2: { log: [entry] } }, [], 'halted', 1.6],
    ['is not that to another value', { 1: { log: [{ ...entry, value: 'INC-8' }] } }, [], undefined, 30],
    ['is not that to another request', { 1: { log: [{ ...entry, request: 'resume' }] } }, [], undefined, 30],
    ['is not an earlier one to the same text', {}, [entry], undefined, 30],
    [
      'is the last one where the same was asked before',
      { 3: { log: [entry, { ...entry, answer: 'halted again' }] } },
      [entry],
      'halted again',
      2.6,
    ],
  ])('%s', async (_, acts, log, answer, seconds) => {
    expect(await wait(acts, { log })).toEqual({ answer, seconds });
  });

  test.each([0, 1_000, 7_000])('is given up after %i ms', async (timeoutMs) => {
    expect(await wait({}, { timeoutMs })).toEqual({ answer: undefined, seconds: timeoutMs / 1_000 });
  });

  test.each([[new ConnectionError('GET /', new Error('refused'))], [anApiError(503, 'starting')]])(
    'comes later after %s',
    async (failure) => {
      const { client, clock, stored, ...cluster } = await aScriptedRollout({ 1: { log: [entry] } });
      const read = failFirstReads(client, 5, () => failure);
      const waiting = waitForAnswer(read, { rollout: stored, request, timeoutMs: 30_000, clock });
      expect(await cluster.do(waiting)).toMatchObject({ answer: 'halted' });
      expect(cluster.countSeconds()).toBe(1);
    },
  );

  test('is not waited for where nobody may read it', async () => {
    const { client, clock, stored, ...cluster } = await aScriptedRollout({});
    const read = failFirstReads(client, 1, () => anApiError(403, 'no right to read NodeRollouts'));
    const waiting = waitForAnswer(read, { rollout: stored, request, timeoutMs: 30_000, clock });
    await expect(cluster.do(waiting)).rejects.toThrow('no right to read NodeRollouts');
  });

  test('cannot come once the rollout is deleted', async () => {
    const acts = { 2: (client: KubernetesClient) => client.delete(nodeRollouts, { name: 'web-1' }) };
    await expect(wait(acts)).rejects.toThrow('NodeRollout web-1 was deleted meanwhile');
  });
});
