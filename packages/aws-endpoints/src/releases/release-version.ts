import type { ImageRelease } from './release.ts';

/**
 * A build in EKS's words: `1.28.5-20240117` for Amazon Linux, `1.18.0-7452c37e` for Bottlerocket,
 * `1.28-2024.01.10` for Windows.
 */
export function releaseVersionOf(release: ImageRelease): string {
  if (release.family === 'Bottlerocket') return longVersion(release);
  return release.family.startsWith('Windows') ? ofItsMinor(release) : datedVersion(release);
}

/** The kubelet's patch version and the date of the build. */
const datedVersion = ({ kubeletVersion, version }: ImageRelease): string =>
  `${kubeletVersion.replace(/^v/, '').split('-', 1).join('')}-${version.replace(/^v/, '')}`;

/** As the image's name ends. */
const longVersion = ({ name, version }: ImageRelease): string => name.split('-v').at(-1) ?? version;

const ofItsMinor = ({ kubernetesVersion, version }: ImageRelease): string => `${kubernetesVersion}-${version}`;
