import { run } from '@stricli/core';
import {
  nodeRolloutPolicies,
  type NodeRollout,
  nodeRollouts,
  type NodeRolloutStatus,
  type RolloutLogEntry,
} from '@nodewright/apis';
import { aServedCluster, aTerminal, type ServedCluster } from '@nodewright/testkit/worlds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const at = '2024-08-15T10:00:00Z';
const wave = (name: string) => ({ name, seats: 1, taken: 1, healthy: 1, failed: 0 });
const waiting: NodeRolloutStatus = {
  state: 'WaitingForApproval',
  wave: 'canary',
  waves: [wave('canary'), wave('all')],
  conditions: [
    { type: 'WaitingForApproval', status: 'True', reason: 'Wave', message: 'a person', lastTransitionTime: at },
  ],
};

const aRollout = (policy: string, status: NodeRolloutStatus): NodeRollout => ({
  metadata: { name: `${policy}-1` },
  spec: { policy, number: 1, cause: 'NewRelease', from: [], to: [], kubernetesVersion: '1.30', members: 3 },
  status,
});

/** A controller that answers each request at once: it refuses what says "no". */
async function answerRequests(line: string, { ask }: Pick<ServedCluster, 'ask'>): Promise<void> {
  const [, name = ''] = /^PATCH .*noderollouts\/([\w-]+)/.exec(line) ?? [];
  if (name === '' || name.startsWith('deaf')) return;
  await ask(async (client) => {
    const found = await client.get(nodeRollouts, { name });
    const asked = Object.entries(found?.metadata.annotations ?? {}).map(([annotation, value]) => ({
      request: (annotation.split('/')[1] ?? '') as RolloutLogEntry['request'],
      value,
    }));
    const known = found?.status?.log ?? [];
    const entries = asked
      .filter(({ request, value }) => !known.some((each) => each.request === request && each.value === value))
      .map(({ request, value }) => ({
        request,
        value,
        by: 'nodewright',
        at,
        answer: value.includes('no') ? 'not now' : `${request} is done`,
        ...(value.includes('no') ? { refused: true } : {}),
      }));
    const patch = { status: { log: [...known, ...entries] } };
    await client.patch(nodeRollouts, { name }, { type: 'merge', patch }, { subresource: 'status' });
  });
}

let cluster: ServedCluster;
beforeAll(async () => {
  cluster = await aServedCluster({ afterRequest: answerRequests });
  for (const name of ['batch', 'web']) await cluster.store(nodeRolloutPolicies, { metadata: { name }, spec: {} });
  await cluster.store(
    nodeRollouts,
    aRollout('web', waiting),
    aRollout('deaf', { state: 'Progressing', wave: 'canary', waves: [wave('canary'), wave('all')] }),
    aRollout('new', { state: 'Pending' }),
    aRollout('old', { state: 'Complete', endedAt: at }),
  );
});
afterAll(() => cluster.close());

const annotationsOf = async (name: string): Promise<Readonly<Record<string, string>>> =>
  (await cluster.ask((client) => client.get(nodeRollouts, { name })))?.metadata.annotations ?? {};

describe('a request is written on the rollout, and its answer is told', () => {
  for (const [command, name, value] of [
    ['halt web --reason INC-7', 'halt', 'INC-7'],
    ['resume web --reason fixed', 'resume', 'fixed'],
    ['approve web-1 --reason ok', 'approve', 'canary=ok'],
    ['approve web-1 --wave all --reason ahead', 'approve', 'all=ahead'],
    ['skip-soak web-1 --reason quiet', 'skip-soak', 'canary=quiet'],
    ['skip-soak web-1 --wave all --reason quiet', 'skip-soak', 'all=quiet'],
    ['rollback web-1 --reason a=b', 'rollback', 'a=b'],
    ['rollback web-1 --to v20240117 --reason slow', 'rollback', 'v20240117=slow'],
    ['rollback web-1 --to ami-0abc --reason slow', 'rollback', 'ami-0abc=slow'],
    ['rollback web-1 --to 1.20.4 --reason slow', 'rollback', '1.20.4=slow'],
  ] as const) {
    test(command, async () => {
      expect(await type('rollout', ...command.split(' '), ...cluster.flags)).toEqual({
        status: 0,
        out: `web-1: ${name} is done`,
        err: '',
      });
      expect(Object.values(await annotationsOf('web-1'))).toContain(value);
    });
  }
});

test('the answer for programs tells what was asked and what came of it', async () => {
  const { out } = await type('rollout', 'halt', 'web', '--reason', 'INC-8', '-o', 'json', ...cluster.flags);
  expect(JSON.parse(out)).toEqual({
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'NodeRolloutRequest',
    rollout: 'web-1',
    request: 'halt',
    value: 'INC-8',
    by: 'nodewright',
    at,
    answer: 'halt is done',
  });
});

describe('a request that comes to nothing', () => {
  for (const [fact, command, status, out, err] of [
    ['is refused: status 3', 'halt web --reason no', 3, 'web-1: not now', 'the request was refused: not now'],
    [
      'is not answered: status 4',
      'halt deaf --reason INC-7 --timeout 0s',
      4,
      '',
      'deaf-1 carries the request, no controller has answered it in 0 s; `nodewright rollout status deaf-1` shows the answer',
    ],
    [
      'is about several rollouts',
      'halt --reason INC-7',
      2,
      '',
      'several rollouts are under way, name one: deaf-1, new-1, web-1',
    ],
    [
      'is about none',
      'halt x --reason INC-7',
      2,
      '',
      'there is no NodeRollout and no NodeRolloutPolicy "x" with one; there are deaf-1, new-1, old-1, web-1',
    ],
    [
      'approves what does not wait',
      'approve deaf --reason ok',
      2,
      '',
      '--wave: deaf-1 does not wait for an approval now; to give one ahead, name the wave: canary, all',
    ],
    [
      'approves what has no waves yet',
      'approve new --reason ok',
      2,
      '',
      '--wave: new-1 does not wait for an approval now; to give one ahead, name the wave: none yet',
    ],
    ['approves what has ended', 'approve old --reason ok', 2, '', 'old-1 has ended: it waits for no approval'],
    ['ends a soak that has not begun', 'skip-soak new --reason ok', 2, '', '--wave: new-1 has not begun a wave yet'],
    [
      'names no release to go back to',
      'rollback web --to latest --reason slow',
      2,
      '',
      '--to: must be a release such as v20240117 or 1.20.4, or the id of an image, not "latest"; `nodewright rollout history` shows what was proven',
    ],
  ] as const) {
    test(fact, async () => {
      const answer = await type('rollout', ...command.split(' '), ...cluster.flags);
      expect(answer).toEqual({ status, out, err: `error: ${err}` });
    });
  }

  test.each(['halt', 'resume', 'approve', 'rollback', 'skip-soak'])('%s needs a reason', async (verb) => {
    const before = cluster.requests.length;
    expect(await type('rollout', verb, 'web', '--reason', ' ', ...cluster.flags)).toEqual({
      status: 2,
      out: '',
      err: 'error: --reason: must say why, such as INC-7',
    });
    expect(cluster.requests.slice(before).filter((line) => line.startsWith('PATCH'))).toEqual([]);
  });
});

describe('unexpected drift', () => {
  const approve = (...args: readonly string[]) =>
    type('rollout', 'approve', ...args, '--unexpected-drift', '--reason', 'ok', ...cluster.flags);

  test('is approved on the policy', async () => {
    expect(await approve('web')).toEqual({
      status: 0,
      out: 'web: nodes that drift without a change of spec, image or version may go',
      err: '',
    });
    const policy = await cluster.ask((client) => client.get(nodeRolloutPolicies, { name: 'web' }));
    expect(Object.entries(policy?.metadata.annotations ?? {})).toEqual([
      ['nodewright.dev/approve', 'unexpected-drift'],
    ]);
  });

  test('is not approved on a policy that is not named, or not there', async () => {
    const refusal = { status: 2, out: '' };
    expect(await approve()).toEqual({
      ...refusal,
      err: 'error: name the NodeRolloutPolicy whose nodes drift; there are batch, web',
    });
    expect(await approve('x')).toEqual({
      ...refusal,
      err: 'error: there is no NodeRolloutPolicy "x"; there are batch, web',
    });
  });
});
