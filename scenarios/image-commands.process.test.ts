import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectls } from './support/clients.ts';
import { manifest } from './support/manifests.ts';
import { nodewright, type RunningSandbox, startPausedSandbox } from './support/running-sandbox.ts';

const kubectl = kubectls().at(-1) ?? '';
const example = (path: string): string => join(import.meta.dirname, '../examples', path);

describe.skipIf(kubectl === '')('beside a sandbox with a node', () => {
  let sandbox: RunningSandbox;
  const answerOf = async (...args: readonly string[]) =>
    JSON.parse((await sandbox.nodewright(...args, '-o', 'json')).stdout) as Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    sandbox = await startPausedSandbox('--kubernetes-version', '1.28', '--speed', '60');
    await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('basic.yaml') });
    await sandbox.run(kubectl, ['apply', '-f', '-'], { input: manifest('sample-deploy.yaml') });
    await sandbox.until(kubectl, ['get', 'nodes'], ({ stdout }) => / Ready /.test(stdout));
  });
  afterAll(() => sandbox.stop());

  test('images tells what is launched and how many nodes run it', async () => {
    expect(await answerOf('images')).toMatchObject({
      apiVersion: 'nodewright.dev/v1alpha1',
      kind: 'ImageList',
      nodeClasses: [
        {
          name: 'default',
          kubernetesVersion: '1.28',
          images: expect.arrayContaining([expect.objectContaining({ state: 'selected', nodes: 1 })]),
        },
      ],
    });
  });

  test('images of a family need no NodeClass, and other families are refused by name', async () => {
    expect((await sandbox.nodewright('images', '--family', 'bottlerocket')).stdout).toContain('1.18.0');
    const refused = await sandbox.nodewright('images', '--family', 'AL3');
    expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('must be one of AL2,') });
  });

  test('a NodeClass with nothing to launch is told with status 3 and the reasons on stdout', async () => {
    const pin = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: pinned }
spec:
  role: karpenterNodeRole-sandbox
  amiSelectorTerms: [{ alias: al2@v19990101 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: sandbox } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: sandbox } }]
`;
    await sandbox.run(kubectl, ['apply', '-f', '-'], { input: pin });
    const { status, stdout } = await sandbox.nodewright('images', '--nodeclass', 'pinned');
    expect([status, stdout]).toEqual([3, expect.stringContaining('v19990101 was never published')]);
    await sandbox.run(kubectl, ['delete', 'ec2nodeclass', 'pinned', '--wait=false']);
  });

  test('explain tells of a node, its NodeClass, its pool and its budgets', async () => {
    const { stdout } = await sandbox.run(kubectl, ['get', 'nodes', '-o', 'name']);
    const node = stdout.trim().replace('node/', '');
    expect(await answerOf('explain', 'node', node)).toMatchObject({
      kind: 'Explanation',
      answer: 'stays: it is what its NodePool and NodeClass ask for',
    });
    expect(await answerOf('explain', 'nodeclass', 'default')).toMatchObject({
      answer: expect.stringContaining('launches'),
    });
    expect(await answerOf('explain', 'nodepool', 'default')).toMatchObject({
      answer: expect.stringContaining('launches'),
    });
    expect(await answerOf('explain', 'budget', 'default')).toMatchObject({
      answer: expect.stringContaining('Drifted 1'),
    });
    expect(await sandbox.nodewright('explain', 'node', 'nope')).toMatchObject({ status: 2, stdout: '' });
  });
});

test('convert writes manifests to stdout, and refuses what cannot be meant with status 2', async () => {
  const pin = await nodewright('convert', '-f', example('native-ami-versioning/release-pin.yaml'));
  expect([pin.status, pin.stdout]).toEqual([0, expect.stringContaining('alias: al2@v20220824')]);
  const refused = await nodewright('convert', '-f', example('native-ami-versioning/ami-version.yaml'));
  expect(refused).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('document 1, AWSNodeTemplate default: spec.amiVersion: "v1.9.1"'),
  });
});
