import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UpdateClusterVersionCommand } from '@aws-sdk/client-eks';
import type { KubernetesObject, NodeClaim } from '@nodewright/apis';
import { createAwsClients } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { startController } from './support/controller-process.ts';
import { kubectls } from './support/clients.ts';
import { deployment, nodeClass, nodePool } from './support/fleet-story.ts';
import { awsOptions, type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls().slice(-1);
const nodes = 3;
const pool = { name: 'plain', nodes, budget: '1' };
const manifests = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', ...nodeClass },
    { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', ...nodePool(pool) },
    deployment(pool),
  ],
};

type Mortal = { readonly who: string; readonly own: boolean };
type Calls = {
  readonly items: readonly { readonly operation: string; readonly input: object; readonly outcome: Outcome }[];
};
type Outcome = { readonly output?: { readonly Instances?: readonly { readonly InstanceIds?: readonly string[] }[] } };

/** A sandbox that is killed again and again; `own` gives the operator a process of its own, which is killed, too. */
async function aMortalSandbox({ own }: Mortal, seed: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nodewright-killed-'));
  const random = seededRandom(seed);
  const flags = ['--data-dir', dataDir, '--speed', '60', ...(own ? ['--no-controller'] : [])];
  const start = (...more: readonly string[]) => startSandbox(...flags, ...more);
  let sandbox: RunningSandbox = await start('--kubernetes-version', '1.28');
  let controller = own ? startController(sandbox) : undefined;
  /** As its Deployment would: a controller that lost its lease has ended. */
  const reviveController = (): void => {
    if (controller?.hasEnded() === true) controller = startController(sandbox);
  };
  return {
    sandbox: () => sandbox,
    own,
    /** Lets it work for a while, then kills one of the processes or both, and starts it anew. */
    async killSome(times: number): Promise<void> {
      for (let death = 0; death < times; death += 1) {
        await pause(200 + random.integer(1_800));
        const [killsSandbox, killsController] = own ? [random.next() < 0.6, random.next() < 0.6] : [true, false];
        if (killsController) await controller?.kill();
        if (killsSandbox) {
          await sandbox.kill();
          sandbox = await start();
        }
        reviveController();
      }
    },
    reviveController,
    async end(): Promise<void> {
      await controller?.kill();
      await sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function list<T extends KubernetesObject>(sandbox: RunningSandbox, kind: string): Promise<readonly T[]> {
  const { stdout } = await sandbox.run(kubectl, ['get', kind, '--output', 'json']);
  return (JSON.parse(stdout) as { readonly items: readonly T[] }).items;
}

/** Every launch that was granted, and every instance that was ended by a call. */
async function historyOf(sandbox: RunningSandbox): Promise<{ launches: readonly Launch[]; ended: readonly string[] }> {
  const { stdout } = await sandbox.nodewright('sandbox', 'calls', '--output', 'json');
  const { items } = JSON.parse(stdout) as Calls;
  const launches = items
    .filter(({ operation }) => operation === 'CreateFleet')
    .flatMap(({ input, outcome }) => {
      const claim = /"Key":"karpenter.sh\/nodeclaim","Value":"([^"]+)"/.exec(JSON.stringify(input))?.[1] ?? '';
      return (outcome.output?.Instances ?? []).flatMap(({ InstanceIds = [] }) =>
        InstanceIds.map((instance) => ({ claim, instance })),
      );
    });
  const ended = items
    .filter(({ operation }) => operation === 'TerminateInstances')
    .flatMap(({ input }) => (input as { readonly InstanceIds: readonly string[] }).InstanceIds);
  return { launches, ended };
}

type Launch = { readonly claim: string; readonly instance: string };

/** What EC2 was asked for is what the claims have, and no claim was launched twice. */
async function expectNothingLost(sandbox: RunningSandbox): Promise<void> {
  const { launches, ended } = await historyOf(sandbox);
  const instances = [...new Set(launches.map(({ instance }) => instance))];
  expect(new Set(launches.map(({ claim }) => claim)).size).toBe(instances.length);
  const claims = await list<NodeClaim>(sandbox, 'nodeclaims');
  const claimed = claims.map(({ status }) => status?.providerID?.split('/').at(-1) ?? '');
  expect(instances.filter((id) => !ended.includes(id)).toSorted()).toEqual(claimed.toSorted());
}

async function settled(
  { sandbox, own, reviveController }: Awaited<ReturnType<typeof aMortalSandbox>>,
  minor: string,
): Promise<void> {
  // Nothing dies any more. An operator inside needs no time of its own: the clock is moved on from look to look.
  if (!own) await sandbox().moveClock({ paused: true });
  const query = ['get', 'nodes', '--no-headers', '-l', 'team=plain'];
  await sandbox().until(kubectl, query, ({ stdout }) => {
    reviveController();
    const lines = stdout.trim().split('\n');
    return (
      lines.length === nodes && lines.every((line) => / Ready +<none> /.test(line) && line.includes(` v${minor}.`))
    );
  });
  if (!own) await sandbox().moveClock({ paused: false });
}

async function upgrade(sandbox: RunningSandbox): Promise<void> {
  const { eks } = createAwsClients(awsOptions(sandbox));
  await eks.send(new UpdateClusterVersionCommand({ name: 'sandbox', version: '1.29' }));
}

describe.skipIf(kubectl === '')('what was acknowledged is there after any number of kill -9', () => {
  // They wait for processes most of the time, so they run beside each other.
  test.concurrent.each<Mortal & { seed: number }>([
    { who: 'the sandbox with the operator inside', own: false, seed: 1 },
    { who: 'the sandbox, the controller beside it, or both', own: true, seed: 2 },
  ])('of $who', async ({ seed, ...mortal }) => {
    const world = await aMortalSandbox(mortal, seed);
    const applied = await world.sandbox().run(kubectl, ['apply', '-f', '-'], {
      input: JSON.stringify(manifests),
    });
    expect(applied.stderr).toBe('');
    await world.killSome(2);
    await settled(world, '1.28');
    await upgrade(world.sandbox());
    await world.killSome(3);
    await settled(world, '1.29');
    await expectNothingLost(world.sandbox());
    await world.end();
  });
});
