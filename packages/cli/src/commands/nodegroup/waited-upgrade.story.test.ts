import { run } from '@stricli/core';
import { type NodeGroup, nodeGroups, nodewrightAnnotations } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { aNodeGroupAccount, aServedCluster, aTerminal, type ServedCluster } from '@nodewright/testkit/worlds';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));
const at = '2024-01-28T16:00:00Z';
const key = { name: 'own' };
type Status = NonNullable<NodeGroup['status']>;

let cluster: ServedCluster | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await cluster?.close();
});

/** `nodegroup upgrade --wait` on a cluster whose controller answers the request at once. */
async function upgrade(answer: (client: KubernetesClient, request: string) => Promise<unknown>, flags = '') {
  const account = await aNodeGroupAccount();
  await account.active();
  let hasAnswered = false;
  cluster = await aServedCluster({
    at,
    version: '1.28',
    aws: account.aws,
    afterRequest: async (line, { ask }) => {
      if (hasAnswered || !line.startsWith('PATCH ')) return;
      hasAnswered = true;
      const stored = await ask((client) => client.get(nodeGroups, key));
      const request = stored?.metadata.annotations?.[nodewrightAnnotations.upgradeRequest] ?? '';
      await ask((client) => answer(client, request));
    },
  });
  await cluster.store(nodeGroups, {
    metadata: key,
    spec: { eks: { name: 'workers' }, image: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
  });
  for (const [name, value] of Object.entries(cluster.environment)) vi.stubEnv(name, value);
  const words = `nodegroup upgrade own --wait${flags}`.split(' ');
  return type(...words, ...cluster.flags);
}

const say = (status: Status) => (client: KubernetesClient, request: string) =>
  client.patch(
    nodeGroups,
    key,
    { type: 'merge', patch: { status: { observedRequest: request, ...status } } },
    { subresource: 'status' },
  );

const served = (outcome: 'Successful' | 'Failed', more: Status = {}) => {
  const ended = { number: 1, target: 'x', outcome, startedAt: at, endedAt: at };
  return (client: KubernetesClient, request: string) =>
    say({ servedRequest: request, history: [ended], ...more })(client, request);
};

describe('an upgrade that is waited for ends', () => {
  test('with 0 when every node is on the target', async () => {
    const { status, out } = await upgrade(served('Successful', { phase: 'UpToDate', reason: 'all there' }));
    expect(status).toBe(0);
    expect(out).toContain('all there');
  });

  test('with 3 when something is in its way, which the answer names for programs', async () => {
    const blockedBy = [{ reason: 'OutsideWindow', message: 'the window opens at 20:00', since: at }];
    const blocked = { phase: 'Blocked', reason: 'no window is open', blockedBy } as unknown as Status;
    const { status, out, err } = await upgrade(say(blocked), ' -o json');
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ kind: 'NodeGroupUpgrade', name: 'own', outcome: 'blocked', blockedBy });
    expect(err).toContain('the update is blocked: no window is open; it begins by itself once nothing is in its way');
  });

  test('with 1 when the update failed', async () => {
    const { status, err } = await upgrade(served('Failed', { phase: 'Failed', reason: 'a pod did not leave' }));
    expect(status).toBe(1);
    expect(err).toMatch(/error: the update failed: /);
  });

  test('with 1 when the NodeGroup is deleted meanwhile', async () => {
    const { status, err } = await upgrade((client) => client.delete(nodeGroups, key));
    expect([status, err]).toEqual([1, expect.stringContaining('NodeGroup own was deleted meanwhile')]);
  });

  test('with 4 when the time is over before a controller has looked', async () => {
    const { status, err } = await upgrade(() => Promise.resolve(), ' --timeout 0s');
    expect([status, err]).toEqual([4, expect.stringContaining('--timeout ran out: no controller has looked at it')]);
  });
});
