import type { ImageRelease } from '@nodewright/aws-endpoints';

/** A standard AL2 build for x86; a test says what is different about its own. */
export const aRelease = (different: Partial<ImageRelease> = {}): ImageRelease => ({
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: 'v20240117',
  imageId: 'ami-0aaaaaaaaaaaaaaa1',
  name: 'amazon-eks-node-1.29-v20240117',
  createdAt: '2024-01-17T20:00:00Z',
  publishedAt: '2024-01-20T20:00:00Z',
  kubeletVersion: 'v1.29.0-eks-5e0fdde',
  osImage: 'Amazon Linux 2',
  kernelVersion: '5.10.205-195.804.amzn2.x86_64',
  containerRuntimeVersion: 'containerd://1.7.2',
  ...different,
});
