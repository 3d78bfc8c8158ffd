import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { anAwsAccount } from '@nodewright/testkit/worlds';

function aWorld() {
  const { time, cloudWith } = anAwsAccount({
    start: fromTimestamp('2024-03-01T12:00:00Z'),
    zones: 1,
    kubernetesVersion: '1.29',
  });
  const { managedGroups } = cloudWith();
  return { time, managedGroups };
}

for (const { family, name, version, release } of [
  { family: 'al2', name: 'amazon-eks-node-1.29-v20240202', version: 'v20240202', release: /^1\.29\.\d+-20240202$/ },
  {
    family: 'al2023',
    name: 'amazon-eks-node-al2023-x86_64-standard-1.29-v20240219',
    version: 'v20240219',
    release: /^1\.29\.\d+-20240219$/,
  },
  {
    family: 'bottlerocket',
    name: 'bottlerocket-aws-k8s-1.29-x86_64-v1.18.0-7452c37e',
    version: '1.18.0',
    release: /^1\.18\.0-7452c37e$/,
  },
  {
    family: 'windows2022',
    name: 'Windows_Server-2022-English-Core-EKS_Optimized-1.29-2024.02.14',
    version: '2024.02.14',
    release: /^1\.29-2024\.02\.14$/,
  },
] as const) {
  test(`REL-5: the alias version ${version} of ${family} is the release that EKS names after the same build`, async () => {
    const { time, managedGroups } = aWorld();
    const kind = { family, arch: 'amd64', variant: 'standard' } as const;
    const question = { image: { name, version }, kind, kubernetesVersion: '1.29' };
    const never = new AbortController().signal;
    expect(await time.finish(managedGroups.releaseOf(question, never))).toMatch(release);
  });
}
