import type { Release } from './release.ts';

/** A build in EKS's words: `1.28.5-20240117` for Amazon Linux, `1.18.0-7452c37e` for Bottlerocket. */
export const releaseVersionOf = (release: Release): string =>
  release.family === 'Bottlerocket' ? longVersion(release) : datedVersion(release);

/** The kubelet's patch version and the date of the build. */
const datedVersion = ({ kubeletVersion, version }: Release): string =>
  `${kubeletVersion.replace(/^v/, '').split('-', 1).join('')}-${version.replace(/^v/, '')}`;

/** As the image's name ends. */
const longVersion = ({ name, version }: Release): string => name.split('-v').at(-1) ?? version;
