import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRelease, awsCli, aTestAccount, installedAwsClis } from '@nodewright/testkit/worlds';

const [command = ''] = installedAwsClis(process.env['PATH']);

describe.skipIf(command === '')('the aws command', () => {
  const account = aTestAccount({ releases: [aRelease()] });
  let cli: Awaited<ReturnType<typeof awsCli>>;

  beforeAll(async () => {
    cli = await awsCli(account.aws.handleSigned, process.env, command);
  });
  afterAll(() => cli.close());

  test('WIRE-13: finds the sandbox by AWS_ENDPOINT_URL, with its key, and is told who it is', async () => {
    expect(await cli.json('sts', 'get-caller-identity')).toMatchObject({ Account: '111122223333' });
  });

  // One service of each protocol: signed-requests.test.ts has all of them, each with another key and another secret.
  for (const { service, args, other, code } of [
    { service: 'ec2', args: ['describe-instances'], other: { AWS_ACCESS_KEY_ID: 'AKIAOTHER' }, code: 'AuthFailure' },
    {
      service: 'eks',
      args: ['list-clusters'],
      other: { AWS_SECRET_ACCESS_KEY: 'other' },
      code: 'InvalidSignatureException',
    },
    { service: 'iam', args: ['list-roles'], other: { AWS_ACCESS_KEY_ID: 'AKIAOTHER' }, code: 'InvalidClientTokenId' },
    {
      service: 'ssm',
      args: ['get-parameter', '--name', '/none'],
      other: { AWS_SECRET_ACCESS_KEY: 'other' },
      code: 'InvalidSignatureException',
    },
  ])
    test(`is refused by ${service} with ${Object.keys(other)[0]} of somebody else`, async () => {
      expect((await cli.runWith(other, service, ...args)).stderr).toContain(`(${code})`);
    });

  test('signs paths with escapes as the sandbox reads them', async () => {
    const arn = 'arn:aws:eks:us-east-1:111122223333:cluster/my-cluster';
    expect((await cli.run('eks', 'tag-resource', '--resource-arn', arn, '--tags', 'team=a b')).status).toBe(0);
    const { tags } = (await cli.json('eks', 'list-tags-for-resource', '--resource-arn', arn)) as { tags: object };
    expect(tags).toMatchObject({ team: 'a b' });
    expect((await cli.run('eks', 'untag-resource', '--resource-arn', arn, '--tag-keys', 'team', 'a b')).status).toBe(0);
  });

  test('reads an image parameter', async () => {
    const name = '/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id';
    expect(await cli.json('ssm', 'get-parameter', '--name', name)).toMatchObject({
      Parameter: { Value: 'ami-0aaaaaaaaaaaaaaa1', Version: 1 },
    });
  });

  test('shows a refusal as AWS words it', async () => {
    const { status, stderr } = await cli.run('ssm', 'get-parameter', '--name', '/none');
    expect(status).not.toBe(0);
    expect(stderr).toContain('An error occurred (ParameterNotFound) when calling the GetParameter operation');
  });

  test('upgrades the cluster, and its tokens are those of an admin', async () => {
    const upgrade = ['update-cluster-version', '--name', 'my-cluster', '--kubernetes-version', '1.29'];
    expect(await cli.json('eks', ...upgrade)).toMatchObject({ update: { status: 'InProgress' } });
    expect(await cli.json('eks', 'describe-cluster', '--name', 'my-cluster')).toMatchObject({
      cluster: { status: 'UPDATING', version: '1.28' },
    });
    const { status } = (await cli.json('eks', 'get-token', '--cluster-name', 'my-cluster')) as {
      status: { token: string };
    };
    expect(account.aws.authenticateToken(status.token)?.username).toBe('kubernetes-admin');
  });

  test('launches, describes and terminates an instance', async () => {
    const run = ['run-instances', '--image-id', aRelease().imageId, '--instance-type', 'm5.large', '--count', '1'];
    const { Instances } = (await cli.json('ec2', ...run)) as { Instances: readonly { InstanceId: string }[] };
    const id = Instances[0]?.InstanceId ?? '';
    const filters = ['--filters', 'Name=instance-state-name,Values=pending,running'];
    expect(await cli.json('ec2', 'describe-instances', ...filters)).toMatchObject({
      Reservations: [{ Instances: [{ InstanceId: id, State: { Name: 'pending' } }] }],
    });
    expect(await cli.json('ec2', 'terminate-instances', '--instance-ids', id)).toMatchObject({
      TerminatingInstances: [{ InstanceId: id, CurrentState: { Name: 'shutting-down' } }],
    });
  });

  test('reads prices, profiles and instance types', async () => {
    const price = ['--region', 'us-east-1', '--service-code', 'AmazonEC2', '--max-items', '1'];
    expect(await cli.json('pricing', 'get-products', ...price)).toMatchObject({ PriceList: [expect.any(String)] });
    expect(await cli.json('iam', 'list-instance-profiles')).toEqual({ InstanceProfiles: [] });
    const types = ['--instance-types', 'm6g.large', '--query', 'InstanceTypes[].MemoryInfo.SizeInMiB'];
    expect(await cli.json('ec2', 'describe-instance-types', ...types)).toEqual([8192]);
  });

  test('writes a kubeconfig for the cluster', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'kubeconfig-')), 'config');
    const { status } = await cli.run('eks', 'update-kubeconfig', '--name', 'my-cluster', '--kubeconfig', file);
    expect(status).toBe(0);
    const kubeconfig = readFileSync(file, 'utf8');
    expect(kubeconfig).toContain('server: https://127.0.0.1:6443');
    expect(kubeconfig).toContain(`certificate-authority-data: ${Buffer.from('the CA').toString('base64')}`);
  });
});
