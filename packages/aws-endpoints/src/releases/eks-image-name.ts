import type { ImageRelease } from './release.ts';

/** What EKS calls its images: pins spell this name out, whatever the image itself is named. */
export const eksImageName = (release: ImageRelease): string =>
  `${release.family === 'AL2' ? al2Prefix(release) : al2023Prefix(release)}-${release.kubernetesVersion}-v${release.version.replace(/^v/, '')}`;

function al2Prefix({ variant, arch }: ImageRelease): string {
  if (variant !== 'standard') return 'amazon-eks-gpu-node';
  return arch === 'arm64' ? 'amazon-eks-arm64-node' : 'amazon-eks-node';
}

const al2023Prefix = ({ variant, arch }: ImageRelease): string =>
  `amazon-eks-node-al2023-${arch === 'arm64' ? 'arm64' : 'x86_64'}-${variant}`;
