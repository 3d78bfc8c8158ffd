import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DescribeInstancesCommand, DescribeLaunchTemplatesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import { startFollowing } from './support/following-client.ts';
import { manifest } from './support/manifests.ts';
import { awsOptions, type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const aws = awsClis()[0]?.file ?? '';
const all = kubectls();
/** The oldest and the newest: what one of them sends, those between send, too. */
const clients = aws === '' ? [] : [...new Set([all[0], all.at(-1)])].filter((file) => file !== undefined);

if (clients.length === 0) {
  test('what people type by hand', (context) => context.skip('needs kubectl and aws on the PATH'));
}

const files = ['basic.yaml', 'bottlerocket.yaml', 'sample-deploy.yaml'] as const;
const ofKarpenter = ['-n', 'kube-system', 'logs', '-l', 'app.kubernetes.io/name=karpenter'];

for (const kubectl of clients) {
  describe(`what people type by hand, with ${basename(kubectl)}`, () => {
    let sandbox: RunningSandbox;
    const k = (...args: readonly string[]) => sandbox.run(kubectl, args);
    const fill = (name: string) => writeFileSync(join(sandbox.env['HOME'] ?? '', 'work', name), manifest(name));

    beforeAll(async () => {
      sandbox = await startSandbox('--kubernetes-version', '1.28', '--speed', '300');
      for (const name of files) fill(name);
    });
    afterAll(async () => {
      await sandbox.stop();
    });

    test('a watch and the operator’s log tell what happens while it happens', async () => {
      // Time stands still until both clients listen: however slow they start, they miss nothing.
      await sandbox.moveClock({ paused: true });
      await k('apply', '-f', 'basic.yaml');
      await k('apply', '-f', 'sample-deploy.yaml');
      const watch = startFollowing(sandbox, kubectl, ['get', 'nodes', '-l', 'team=my-team', '-w']);
      const log = startFollowing(sandbox, kubectl, [...ofKarpenter, '-f', '--since=10m']);
      await watch.isAnswered(/[?&]watch=true/);
      await log.isAnswered(/[?&]follow=true/);
      await sandbox.moveClock({ paused: false });
      await watch.says(/ NotReady [^]* Ready /);
      await log.says(/"message":"initialized nodeclaim"/);
      expect(watch.text()).not.toContain('<invalid>');
      await Promise.all([watch.stop(), log.stop()]);
    });

    test('ages are never negative', async () => {
      for (const args of [['get', 'nodes,pods,nodeclaims,events'], ['describe', 'node'], ['events']]) {
        expect((await k(...args)).stdout).not.toContain('<invalid>');
      }
    });

    test('versions are told; what kubectl has dropped, kubectl says', async () => {
      const version = await k('version');
      expect(version).toMatchObject({ status: 0, stdout: expect.stringMatching(/Server Version.*v1\.28\./) });
      const short = await k('version', '--short');
      if (short.status === 0) expect(short.stdout).toMatch(/Server Version: v1\.28\./);
      else expect(short.stderr).toContain('unknown flag: --short');
    });

    test('kubectl works with the tokens of aws eks get-token', async () => {
      const file = join(sandbox.env['HOME'] ?? '', 'of-aws');
      await sandbox.run(aws, ['eks', 'update-kubeconfig', '--name', 'sandbox', '--kubeconfig', file]);
      const nodes = await k('--kubeconfig', file, 'get', 'nodes', '-o', 'name');
      expect(nodes).toMatchObject({ status: 0, stdout: expect.stringMatching(/^node\/ip-/) });
    });

    test('describe shows what the class found, explain what its fields mean', async () => {
      expect((await k('describe', 'ec2nodeclass', 'default')).stdout).toMatch(/Amis:\s+Id:\s+ami-/);
      expect((await k('explain', 'nodepool.spec.disruption.budgets')).stdout).toContain('budgets');
      const kinds = await k('api-resources', '--api-group=karpenter.k8s.aws');
      expect(kinds.stdout).toMatch(/ec2nodeclasses\s+ec2nc,ec2ncs\s+karpenter\.k8s\.aws\/v1\s+false\s+EC2NodeClass/);
    });

    test('nodes are labelled, tainted, cordoned and drained, deployments scaled and restarted', async () => {
      const node = (await k('get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}')).stdout;
      for (const [args, answer] of [
        [['label', 'node', node, 'tier=gold'], 'labeled'],
        [['annotate', 'node', node, 'karpenter.sh/do-not-disrupt=true'], 'annotate'], // it will be empty for a while
        [['taint', 'nodes', node, 'k=v:NoSchedule'], 'tainted'],
        [['taint', 'nodes', node, 'k-'], 'untainted'],
        [['cordon', node], 'cordoned'],
        [['drain', node, '--ignore-daemonsets', '--timeout=10m'], 'drained'],
        [['uncordon', node], 'uncordoned'],
        [['annotate', 'node', node, 'karpenter.sh/do-not-disrupt-'], 'annotate'],
        [['scale', 'deployment', 'inflate', '--replicas=3'], 'scaled'],
        [['rollout', 'status', 'deployment', 'inflate', '--timeout=10m'], 'successfully rolled out'],
        [['rollout', 'restart', 'deployment', 'inflate'], 'restarted'],
        [['rollout', 'status', 'deployment', 'inflate', '--timeout=10m'], 'successfully rolled out'],
        [['wait', '--for=condition=Ready', 'nodepool/default', '--timeout=10m'], 'condition met'],
      ] as const) {
        expect(await k(...args)).toMatchObject({ status: 0, stdout: expect.stringContaining(answer) });
      }
    });

    test('the pool is edited to the other class, and the log tells of drift', async () => {
      await k('create', '-f', 'bottlerocket.yaml');
      const editor = `sed -i '/^ *nodeClassRef:/,/name:/s/name: default/name: bottlerocket/'`;
      const edited = await sandbox.run('env', [
        `EDITOR=${editor}`,
        kubectl,
        'edit',
        'nodepools.karpenter.sh',
        'default',
      ]);
      expect(edited).toMatchObject({ status: 0, stdout: 'nodepool.karpenter.sh/default edited\n' });
      await sandbox.until(kubectl, [...ofKarpenter, '--tail=500'], ({ stdout }) => /"command":"drifted/i.test(stdout));
      await sandbox.until(kubectl, ['describe', 'nodes', '-l', 'team=my-team'], ({ stdout }) => {
        const images = stdout.match(/OS Image: .*/g) ?? [];
        return images.length > 0 && images.every((image) => image.includes('Bottlerocket'));
      });
    });

    test('a file that is not there is named', async () => {
      expect(await k('delete', '-f', 'basic.yml')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('the path "basic.yml" does not exist'),
      });
    });

    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ] as const) {
      const names = order.map((at) => files[at] ?? '');
      test(`deleting ${names.join(', ')} leaves nothing`, async () => {
        for (const name of files) await k('apply', '-f', name);
        await sandbox.until(kubectl, ['get', 'nodes'], ({ stdout }) => / Ready /.test(stdout));
        for (const name of names) {
          expect(await k('delete', '-f', name, '--wait=false')).toMatchObject({ status: 0 });
        }
        const kinds = 'nodes,nodeclaims,nodepools,ec2nodeclasses,deployments';
        await sandbox.until(kubectl, ['get', kinds], ({ stdout }) => stdout === '');
        const ec2 = new EC2Client(awsOptions(sandbox));
        const live = [{ Name: 'instance-state-name', Values: ['pending', 'running'] }];
        const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters: live }));
        const { LaunchTemplates = [] } = await ec2.send(new DescribeLaunchTemplatesCommand({}));
        expect({ Reservations, LaunchTemplates }).toEqual({ Reservations: [], LaunchTemplates: [] });
        ec2.destroy();
      });
    }
  });
}
