import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import { startSandbox } from './support/running-sandbox.ts';

const [kubectl = ''] = kubectls();
const clis = awsClis();

if (kubectl === '' || clis.length === 0) {
  test('the walkthrough of node group upgrades', (context) => context.skip('needs kubectl and aws on the PATH'));
}

const target = 'ami-0fcd72f3118e0dd88';

// The waiter of the CLI sleeps half a minute between two looks: the clients wait beside each other.
for (const { file, version } of kubectl === '' ? [] : clis) {
  test.concurrent(`WAIT-7: with ${basename(kubectl)} and aws ${version} the update to the newest image is begun, waited for while time goes on, and every node carries it`, async ({
    onTestFinished,
  }) => {
    const sandbox = await startSandbox('--scenario', 'managed-node-group', '--speed', '600');
    onTestFinished(async () => void (await sandbox.stop()));
    const group = '--cluster-name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME';
    // Older ones do not read the endpoint from the environment.
    const command = `aws() { ${file} --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }`;
    const sh = (line: string) => sandbox.run('/bin/sh', ['-c', `${command}\n${line}`]);
    const nodes = async (path: string) =>
      (await sandbox.run(kubectl, ['get', 'nodes', '-o', `jsonpath=${path}`])).stdout;

    const newest = await sh(
      'aws ssm get-parameter --name /aws/service/eks/optimized-ami/1.23/amazon-linux-2/recommended/image_id --region $AWS_DEFAULT_REGION --query "Parameter.Value" --output text',
    );
    expect(newest).toMatchObject({ status: 0, stdout: `${target}\n` });
    const labels = await nodes('{.items[*].metadata.labels}');
    expect(labels.match(/"eks.amazonaws.com\/nodegroup":"default"/g)).toHaveLength(3);
    expect(labels).not.toContain(target);

    const begun = await sh(`aws eks update-nodegroup-version ${group}`);
    const { update } = JSON.parse(begun.stdout) as { update: { id: string; status: string } };
    expect(update.status).toBe('InProgress');
    expect(await sh(`aws eks wait nodegroup-active ${group}`)).toMatchObject({ status: 0, stderr: '' });
    const outcome = await sh(
      `aws eks describe-update --name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME --update-id ${update.id} --query update.status --output text`,
    );
    expect(outcome.stdout).toBe('Successful\n');
    const images = await nodes(String.raw`{.items[*].metadata.labels.eks\.amazonaws\.com/nodegroup-image}`);
    expect(images).toBe([target, target, target].join(' '));
    const release = await sh(`aws eks describe-nodegroup ${group} --query nodegroup.releaseVersion --output text`);
    expect(release.stdout).toMatch(/-20231002\n$/);
  });
}
