import { expect, test } from 'vitest';
import { releaseOfImageName } from './release-of-name.ts';

test.each([
  ['amazon-eks-node-1.30-v20240807', 'AL2', 'v20240807'],
  ['amazon-eks-gpu-node-1.30-v20240807', 'AL2', 'v20240807'],
  ['amazon-eks-arm64-node-1.30-v20240807', 'AL2', 'v20240807'],
  ['amazon-eks-node-al2023-x86_64-standard-1.31-v20240928', 'AL2023', 'v20240928'],
  ['bottlerocket-aws-k8s-1.31-x86_64-v1.24.0-9a1b3c2d', 'Bottlerocket', 'v1.24.0'],
  ['Windows_Server-2019-English-Core-EKS_Optimized-1.31-2024.10.08', 'Windows2019', '2024.10.08'],
  ['Windows_Server-2022-English-Full-EKS_Optimized-1.31-2024.10.08', 'Windows2022', '2024.10.08'],
  ['Windows_Server-2025-English-Core-EKS_Optimized-1.35-2026.01.14', 'Windows2025', '2026.01.14'],
])('%s is of %s, release %s', (name, family, version) => {
  expect(releaseOfImageName(name)).toEqual({ family, version });
});

test.each([
  '',
  'my-image-1.30-v20240807',
  'amazon-eks-node-1.30',
  'al2023-ami-2023.5.20240819.0-kernel-6.1-x86_64',
  'Windows_Server-2016-English-Core-EKS_Optimized-1.31-2024.10.08',
  'Windows_Server-2022-English-Core-Base-2024.10.08',
])('"%s" is no image of EKS', (name) => {
  expect(releaseOfImageName(name)).toBeUndefined();
});
