import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import { manifest } from './support/manifests.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const clis = awsClis();
const clients = kubectls();

if (clients.length === 0 || clis.length === 0) {
  test('the walkthrough with real clients', (context) => context.skip('needs kubectl and aws on the PATH'));
}

const upgradedNode = 'v1.29.0-eks-5e0fdde';

const versionsOf = (table: string): readonly string[] =>
  table
    .split('\n')
    .slice(1)
    .filter((row) => row !== '')
    .map((row) => row.trim().split(/\s+/).at(-1) ?? '');

describe.skipIf(clis.length === 0)('the drift walkthrough, typed with real clients', () => {
  /** Each kubectl leaves it as it found it. */
  const upgraded: { sandbox?: Promise<RunningSandbox> } = {};
  afterAll(async () => {
    await (await upgraded.sandbox)?.stop();
  });

  for (const [at, kubectl] of clients.entries()) {
    const cli = clis[at % clis.length];
    // The upgrade is asked for with aws. The oldest and the newest kubectl see it; the others begin after it.
    const upgrades = at === 0 || at === clients.length - 1;
    const first = upgrades ? { control: '1.28', node: 'v1.28.5-eks-5e0fdde' } : { control: '1.29', node: upgradedNode };
    describe(`${basename(kubectl)} and aws ${cli?.version}`, () => {
      let sandbox: RunningSandbox;
      const k = (...args: readonly string[]) => sandbox.run(kubectl, args);
      // Older ones do not read the endpoint from the environment.
      const aws = (...args: readonly string[]) =>
        [cli?.file ?? '', ['--endpoint-url', sandbox.env['AWS_ENDPOINT_URL'] ?? '', ...args]] as const;

      beforeAll(async () => {
        const flags = ['--kubernetes-version', first.control, '--speed', '300'];
        sandbox = await (upgrades ? startSandbox(...flags) : (upgraded.sandbox ??= startSandbox(...flags)));
        await sandbox.moveClock({ paused: true });
      });
      afterAll(async () => {
        if (upgrades) await sandbox.stop();
      });

      test('applies the manifests as printed, and a node of the control plane’s version comes', async () => {
        const applied = await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('basic.yaml') });
        expect(applied).toMatchObject({
          status: 0,
          stdout: expect.stringContaining('nodepool.karpenter.sh/default created'),
        });
        expect(applied.stdout).toContain('ec2nodeclass.karpenter.k8s.aws/default created');
        const deployed = await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('sample-deploy.yaml') });
        expect(deployed).toMatchObject({ status: 0, stdout: 'deployment.apps/inflate created\n' });
        const nodes = await sandbox.until(kubectl, ['get', 'nodes', '-l', 'team=my-team'], ({ stdout }) =>
          / Ready /.test(stdout),
        );
        expect(nodes.stdout).toMatch(/^NAME\s+STATUS\s+ROLES\s+AGE\s+VERSION\n/);
        expect(versionsOf(nodes.stdout)).toEqual([first.node]);
      });

      test('lists the kinds of Karpenter in their columns', async () => {
        const listed = await k('get', 'nodeclaims,nodepools,ec2nodeclasses');
        expect(listed.status).toBe(0);
        expect(listed.stdout).toMatch(/NAME\s+TYPE\s+CAPACITY\s+ZONE\s+NODE\s+READY\s+AGE/);
        expect(listed.stdout).toMatch(/nodepool\.karpenter\.sh\/default\s+default\s+1\s+True/);
      });

      if (upgrades)
        test('replaces the node after the control plane is upgraded with aws', async () => {
          const update = await sandbox.run(
            ...aws('eks', 'update-cluster-version', '--name', 'sandbox', '--kubernetes-version', '1.29'),
          );
          expect(update.stderr).toBe('');
          const { id, status } = JSON.parse(update.stdout).update as { id: string; status: string };
          expect(status).toBe('InProgress');
          await sandbox.until(
            ...aws('eks', 'describe-update', '--name', 'sandbox', '--update-id', id),
            ({ stdout }) => stdout.includes('"Successful"'),
            '1h',
          );
          const nodes = await sandbox.until(kubectl, ['get', 'nodes', '-l', 'team=my-team'], ({ stdout }) => {
            const versions = versionsOf(stdout);
            return versions.length === 1 && versions[0] === upgradedNode && / Ready /.test(stdout);
          });
          expect(nodes.stdout).not.toContain('SchedulingDisabled');
        });

      test('moves to the other node class, and the node tells its image', async () => {
        await sandbox.run(kubectl, ['create', '-f', '-'], { input: manifest('bottlerocket.yaml') });
        const patch = '{"spec":{"template":{"spec":{"nodeClassRef":{"name":"bottlerocket"}}}}}';
        const patched = await k('patch', 'nodepools.karpenter.sh', 'default', '--type', 'merge', '-p', patch);
        expect(patched.stdout).toBe('nodepool.karpenter.sh/default patched\n');
        await sandbox.until(kubectl, ['get', 'nodes', '-l', 'team=my-team'], ({ stdout }) => {
          const versions = versionsOf(stdout);
          return versions.length === 1 && versions[0] === 'v1.29.0-eks-a5ec690' && / Ready /.test(stdout);
        });
        const described = await k('describe', 'nodes', '-l', 'team=my-team');
        expect(described.stdout).toMatch(/OS Image:\s+Bottlerocket OS 1\.18\.0 \(aws-k8s-1\.29\)/);
      });

      test('ends with nothing left', async () => {
        await sandbox.moveClock({ paused: false }); // kubectl waits for what it deletes
        for (const name of ['basic.yaml', 'bottlerocket.yaml', 'sample-deploy.yaml']) {
          const deleted = await sandbox.run(kubectl, ['delete', '-f', '-'], { input: manifest(name) });
          expect(deleted.status).toBe(0);
        }
        const left = await k('get', 'nodes,nodeclaims,nodepools,ec2nodeclasses,deployments');
        expect(left.stdout).toBe('');
        if (!upgrades) return;
        const instances = await sandbox.run(
          ...aws(
            'ec2',
            'describe-instances',
            '--filters',
            'Name=instance-state-name,Values=pending,running',
            '--query',
            'Reservations[].Instances[].InstanceId',
            '--output',
            'text',
          ),
        );
        expect(instances.stdout.trim()).toBe('');
      });
    });
  }
});
