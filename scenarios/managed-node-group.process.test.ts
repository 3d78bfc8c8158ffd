import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';

const [kubectl] = kubectls();
const clis = awsClis();

if (kubectl === undefined || clis.length === 0) {
  test('the walkthrough of node group upgrades', (context) => context.skip('needs kubectl and aws on the PATH'));
}

const target = 'ami-0fcd72f3118e0dd88';

describe.skipIf(kubectl === undefined)('the walkthrough of node group upgrades, typed with real clients', () => {
  for (const { file, version } of clis) {
    describe(`${basename(kubectl ?? '')} and aws ${version}`, () => {
      let sandbox: RunningSandbox;
      // Older ones do not read the endpoint from the environment.
      const command = `aws() { ${file} --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }`;
      const sh = (line: string) => sandbox.run('/bin/sh', ['-c', `${command}\n${line}`]);

      beforeAll(async () => {
        sandbox = await startSandbox('--scenario', 'managed-node-group', '--speed', '600');
      });
      afterAll(async () => {
        await sandbox.stop();
      });

      test('the newest image is one ahead of the group', async () => {
        const newest = await sh(
          'aws ssm get-parameter --name /aws/service/eks/optimized-ami/1.23/amazon-linux-2/recommended/image_id --region $AWS_DEFAULT_REGION --query "Parameter.Value" --output text',
        );
        expect(newest).toMatchObject({ status: 0, stdout: `${target}\n` });
        const labels = await sandbox.run(kubectl ?? '', ['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.labels}']);
        expect(labels.stdout.match(/"eks.amazonaws.com\/nodegroup":"default"/g)).toHaveLength(3);
        expect(labels.stdout).not.toContain(target);
      });

      test('WAIT-7: the update is begun, waited for while time goes on, and every node carries the image', async () => {
        const begun = await sh(
          'aws eks update-nodegroup-version --cluster-name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME',
        );
        const { update } = JSON.parse(begun.stdout) as { update: { id: string; status: string } };
        expect(update.status).toBe('InProgress');
        const waited = await sh(
          'aws eks wait nodegroup-active --cluster-name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME',
        );
        expect(waited).toMatchObject({ status: 0, stderr: '' });
        const outcome = await sh(
          `aws eks describe-update --name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME --update-id ${update.id} --query update.status --output text`,
        );
        expect(outcome.stdout).toBe('Successful\n');
        const images = await sandbox.run(kubectl ?? '', [
          'get',
          'nodes',
          '-o',
          String.raw`jsonpath={.items[*].metadata.labels.eks\.amazonaws\.com/nodegroup-image}`,
        ]);
        expect(images.stdout).toBe([target, target, target].join(' '));
        const release = await sh(
          'aws eks describe-nodegroup --cluster-name $EKS_CLUSTER_NAME --nodegroup-name $EKS_DEFAULT_MNG_NAME --query nodegroup.releaseVersion --output text',
        );
        expect(release.stdout).toMatch(/-20231002\n$/);
      });
    });
  }
});
