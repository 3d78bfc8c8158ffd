import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import {
  CreateNodegroupCommand,
  DescribeClusterCommand,
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  EKSClient,
  UpdateNodegroupVersionCommand,
} from '@aws-sdk/client-eks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import {
  awsOptions,
  type Finished,
  type RunningSandbox,
  startPausedSandbox,
  startSandbox,
} from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls();
const clis = awsClis();
const image = 'ami-0fcd72f3118e0dd88';
const previous = '1.23.14-20230919';

if (kubectl === '' || clis.length === 0) {
  test('acceptance scenarios with real clients', (context) => context.skip('needs kubectl and aws on the PATH'));
}

const bootstrap = (endpoint: string, ca: string): string =>
  Buffer.from(
    `#!/bin/bash\n/etc/eks/bootstrap.sh sandbox --b64-cluster-ca ${ca} --apiserver-endpoint ${endpoint}\n`,
  ).toString('base64');

for (const { file, version } of kubectl === '' ? [] : clis) {
  describe(`aws ${version}`, () => {
    let sandbox: RunningSandbox;
    const aws = `aws() { ${file} --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }\nGROUP="--cluster-name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME"`;
    const sh = (line: string) => sandbox.run('/bin/sh', ['-c', `${aws}\n${line}`]);
    const text = async (line: string): Promise<string> => (await sh(`${line} --output text`)).stdout.trim();
    const until = async (line: string, wanted: string): Promise<string> => {
      const args = ['-c', `${aws}\n${line} --output text`];
      return (await sandbox.until('/bin/sh', args, ({ stdout }) => stdout.trim() === wanted, '30m')).stdout.trim();
    };
    const outcome = (id: string, wanted: string, group = '$EKS_DEFAULT_MNG_NAME') =>
      until(
        `aws eks describe-update --name $EKS_CLUSTER_NAME --nodegroup-name ${group} --update-id ${id} --query update.status`,
        wanted,
      );
    const budget = (minAvailable: string) =>
      sandbox.run(kubectl, [
        '-n',
        'ui',
        'patch',
        'pdb',
        'ui',
        '--type',
        'merge',
        '-p',
        `{"spec":{"minAvailable":${minAvailable}}}`,
      ]);

    beforeAll(async () => {
      sandbox = await startPausedSandbox('--scenario', 'managed-node-group', '--speed', '1200');
    });
    afterAll(async () => {
      await sandbox.stop();
    });

    test('scenarios 31, 1, CLI-1: an update to a release by name, with the version under its own flag', async () => {
      const id = await text(
        'aws eks update-nodegroup-version $GROUP --kubernetes-version 1.23 --no-force --query update.id',
      );
      expect(await outcome(id, 'Successful')).toBe('Successful');
      // The Node of a machine that the scale down ended goes a little after the update.
      const listed = ['get', 'nodes', '-L', 'eks.amazonaws.com/nodegroup-image', '--no-headers'];
      const isThree = ({ stdout }: Finished): boolean => stdout.trim().split('\n').length === 3;
      const images = await sandbox.until(kubectl, listed, isThree);
      expect(images.stdout.match(new RegExp(image, 'g'))).toHaveLength(3);
    });

    test('scenarios 31, 5, 23, WAIT-1: a blocked update fails and names the node; the waiter of the CLI ends with 0 all the same', async () => {
      await budget('"100%"');
      const id = await text(`aws eks update-nodegroup-version $GROUP --release-version ${previous} --query update.id`);
      expect(await outcome(id, 'Failed')).toBe('Failed');
      const error = await text(
        `aws eks describe-update --name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME --update-id ${id} --query "update.errors[0].[errorCode,resourceIds[0]]"`,
      );
      expect(error).toMatch(/^PodEvictionFailure\s+ip-[\d-]+\.ec2\.internal$/);
      expect(await sh('aws eks wait nodegroup-active $GROUP')).toMatchObject({ status: 0, stdout: '', stderr: '' });
      await budget('1');
    });

    // Whichever version sends what is typed here, the sandbox gets the same: one of them is enough.
    if (version !== clis.at(-1)?.version) return;
    test('scenarios 31, 14: a group with an own image refuses a version, and rolls with its template', async () => {
      const setUp = await sh(`set -e
SUBNETS=$(aws ec2 describe-subnets --query 'Subnets[?MapPublicIpOnLaunch==\`false\`].SubnetId' --output text)
CLUSTER=$(aws eks describe-cluster --name sandbox --query 'cluster.[certificateAuthority.data,endpoint]' --output text)
CA=$(echo "$CLUSTER" | cut -f1)
SERVER=$(echo "$CLUSTER" | cut -f2)
DATA=$(printf '#!/bin/bash\\n/etc/eks/bootstrap.sh sandbox --b64-cluster-ca %s --apiserver-endpoint %s\\n' $CA $SERVER | base64 | tr -d '\\n')
aws ec2 create-launch-template --launch-template-name own --launch-template-data "{\\"ImageId\\":\\"ami-0010f5094edd17625\\",\\"InstanceType\\":\\"m5.large\\",\\"UserData\\":\\"$DATA\\"}" >/dev/null
aws ec2 create-launch-template-version --launch-template-name own --source-version 1 --launch-template-data '{"ImageId":"${image}"}' >/dev/null
aws eks create-nodegroup --cluster-name sandbox --nodegroup-name own --subnets $SUBNETS --node-role arn:aws:iam::111122223333:role/karpenterNodeRole-sandbox --launch-template name=own,version=1 --scaling-config minSize=1,maxSize=2,desiredSize=1 >/dev/null`);
      expect(setUp).toMatchObject({ status: 0, stderr: '' });
      const status = 'aws eks describe-nodegroup --cluster-name sandbox --nodegroup-name own --query nodegroup.status';
      expect(await until(status, 'ACTIVE')).toBe('ACTIVE');
      const update = 'aws eks update-nodegroup-version --cluster-name sandbox --nodegroup-name own';
      const refused = await sh(`${update} --kubernetes-version 1.23`);
      expect(refused.status).toBeGreaterThan(0);
      expect(refused.stderr).toContain('InvalidParameterException');
      const id = await text(`${update} --launch-template name=own,version=2 --query update.id`);
      expect(await outcome(id, 'Successful', 'own')).toBe('Successful');
      expect(
        await text(
          'aws eks describe-nodegroup --cluster-name sandbox --nodegroup-name own --query "nodegroup.[releaseVersion,amiType]"',
        ),
      ).toBe(`${image}\tCUSTOM`);
    });
  });
}

describe.skipIf(kubectl === '')('the AWS SDK for JavaScript, over the network', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startPausedSandbox('--scenario', 'managed-node-group', '--speed', '1200');
  });
  afterAll(async () => {
    await sandbox.stop();
  });

  test('scenarios 31, 1, 5, 14: updates, fails blocked, and rolls an own image', async () => {
    const options = awsOptions(sandbox);
    const [eks, ec2] = [new EKSClient(options), new EC2Client(options)];
    const clusterName = 'sandbox';
    const ended = async (nodegroupName: string, input: object) => {
      const { update } = await eks.send(new UpdateNodegroupVersionCommand({ clusterName, nodegroupName, ...input }));
      for (;;) {
        const asked = { name: clusterName, nodegroupName, updateId: update?.id };
        const seen = (await eks.send(new DescribeUpdateCommand(asked))).update;
        if (seen?.status !== 'InProgress') return seen;
        await sandbox.moveClock({ advance: '1m' });
      }
    };
    expect(await ended('default', {})).toMatchObject({ status: 'Successful', errors: [] });
    await sandbox.run(kubectl, [
      '-n',
      'ui',
      'patch',
      'pdb',
      'ui',
      '--type',
      'merge',
      '-p',
      '{"spec":{"minAvailable":"100%"}}',
    ]);
    expect(await ended('default', { releaseVersion: previous })).toMatchObject({
      status: 'Failed',
      errors: [{ errorCode: 'PodEvictionFailure' }],
    });
    const { cluster } = await eks.send(new DescribeClusterCommand({ name: clusterName }));
    const UserData = bootstrap(cluster?.endpoint ?? '', cluster?.certificateAuthority?.data ?? '');
    const LaunchTemplateName = 'own';
    await ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName,
        LaunchTemplateData: { ImageId: 'ami-0010f5094edd17625', InstanceType: 'm5.large', UserData },
      }),
    );
    await ec2.send(
      new CreateLaunchTemplateVersionCommand({
        LaunchTemplateName,
        SourceVersion: '1',
        LaunchTemplateData: { ImageId: image },
      }),
    );
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    await eks.send(
      new CreateNodegroupCommand({
        clusterName,
        nodegroupName: 'own',
        subnets: Subnets.flatMap(({ SubnetId }) => SubnetId ?? []),
        nodeRole: 'arn:aws:iam::111122223333:role/karpenterNodeRole-sandbox',
        launchTemplate: { name: LaunchTemplateName, version: '1' },
        scalingConfig: { minSize: 1, maxSize: 2, desiredSize: 1 },
      }),
    );
    const describeOwn = () => eks.send(new DescribeNodegroupCommand({ clusterName, nodegroupName: 'own' }));
    while ((await describeOwn()).nodegroup?.status === 'CREATING') await sandbox.moveClock({ advance: '1m' });
    await expect(ended('own', { version: '1.23' })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(await ended('own', { launchTemplate: { name: 'own', version: '2' } })).toMatchObject({
      status: 'Successful',
    });
    expect((await describeOwn()).nodegroup).toMatchObject({ amiType: 'CUSTOM', releaseVersion: image });
  });
});

test.skipIf(clis.length === 0)('an update survives kill -9 of the sandbox in each of its phases', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-kills-'));
  // So slow that time only passes where the test moves it, also right after a start.
  const flags = ['--scenario', 'managed-node-group', '--speed', '0.01', '--data-dir', folder, '--no-controller'];
  const [{ file } = { file: '' }] = clis;
  const group = '--nodegroup-name default --output text';
  const aws = async (sandbox: RunningSandbox, command: string): Promise<string> => {
    const answer = await sandbox.run('/bin/sh', ['-c', `${file} --endpoint-url "$AWS_ENDPOINT_URL" ${command}`]);
    return answer.stdout.trim();
  };
  let sandbox = await startSandbox(...flags);
  const id = await aws(sandbox, `eks update-nodegroup-version --cluster-name sandbox ${group} --query update.id`);
  // Within the setup, while new nodes join, while old ones are drained, and in the scale down.
  for (const advance of ['12s', '36s', '144s', '144s', '144s']) {
    await sandbox.moveClock({ advance });
    await sandbox.kill();
    sandbox = await startSandbox(...flags);
  }
  const status = `eks describe-update --name sandbox ${group} --update-id ${id} --query update.status`;
  while ((await aws(sandbox, status)) === 'InProgress') await sandbox.moveClock({ advance: '30m' });
  expect(await aws(sandbox, status)).toBe('Successful');
  const sizes = 'autoscaling describe-auto-scaling-groups --output text --query';
  expect(await aws(sandbox, `${sizes} "AutoScalingGroups[].[MinSize,MaxSize,DesiredCapacity,length(Instances)]"`)).toBe(
    '3\t6\t3\t3',
  );
  const running = `ec2 describe-instances --output text --filters Name=instance-state-name,Values=running --query "length(Reservations[].Instances[])"`;
  expect(await aws(sandbox, running)).toBe('3');
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});
