import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { builtInReleases } from '../releases/built-in.ts';
import { ReleaseStore } from '../releases/release-store.ts';
import { PublicParameters } from './parameters.ts';
import { aRelease, inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const store = new ReleaseStore(builtInReleases());
const parameters = new PublicParameters(store);
const now = fromTimestamp('2026-03-01T00:00:00Z');

const eks = '/aws/service/eks/optimized-ami';
const ubuntu = '/aws/service/canonical/ubuntu/eks';
const windows = '/aws/service/ami-windows-latest/Windows_Server';

for (const { path, image } of [
  { path: `${eks}/1.32/amazon-linux-2/recommended/image_id`, image: 'amazon-eks-node-1.32-v20251120' },
  { path: `${eks}/1.32/amazon-linux-2-arm64/recommended/image_id`, image: 'amazon-eks-arm64-node-1.32-v20251120' },
  {
    path: `${eks}/1.32/amazon-linux-2-gpu/amazon-eks-gpu-node-1.32-v20251029/image_id`,
    image: 'amazon-eks-gpu-node-1.32-v20251029',
  },
  {
    path: `${eks}/1.31/amazon-linux-2023/x86_64/neuron/amazon-eks-node-al2023-x86_64-neuron-1.31-v20250519/image_id`,
    image: 'amazon-eks-node-al2023-x86_64-neuron-1.31-v20250519',
  },
  { path: '/aws/service/bottlerocket/aws-k8s-1.31-fips/arm64/1.27.0/image_id', image: /^bottlerocket-.*-fips-aarch64/ },
  {
    path: '/aws/service/bottlerocket/aws-k8s-1.31-nvidia/x86_64/1.27.0/image_id',
    image: /^bottlerocket-.*-nvidia-x86/,
  },
  { path: `${windows}-2022-English-Core-EKS_Optimized-1.31/image_id`, image: /Windows_Server-2022-English-Core/ },
  { path: `${windows}-2025-English-Core-EKS_Optimized-1.35/image_id`, image: /Windows_Server-2025-English-Core/ },
  {
    path: `${ubuntu}/20.04/1.23/stable/20221208/amd64/hvm/ebs-gp2/ami-id`,
    image: /ubuntu-focal-20.04-amd64-.*20221208/,
  },
  { path: `${ubuntu}/20.04/1.29/stable/current/arm64/hvm/ebs-gp2/ami-id`, image: /ubuntu-focal-20.04-arm64/ },
  { path: `${ubuntu}/24.04/1.33/stable/current/amd64/hvm/ebs-gp3/ami-id`, image: /ubuntu-noble-24.04-amd64/ },
]) {
  test(`${path} names an image`, () => {
    expect(store.byImage(parameters.get(path, now)?.value ?? '')?.name).toMatch(image);
  });
}

test('a release older than the newest takes the pointer nowhere when it is withdrawn', async () => {
  const older = aRelease();
  const newer = aRelease({
    version: 'v20240120',
    imageId: 'ami-0aaaaaaaaaaaaaaa2',
    name: 'amazon-eks-node-1.29-v20240120',
  });
  const { aws, clock } = aTestAccount({ releases: [older, newer] });
  aws.releases.withdraw({ imageId: older.imageId }, clock.now());
  const ssm = new SSMClient(inProcess(aws.handle));
  const Name = `${eks}/1.29/amazon-linux-2/recommended/image_id`;
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
  expect(Parameter).toMatchObject({ Value: newer.imageId, LastModifiedDate: new Date(newer.publishedAt) });
});
