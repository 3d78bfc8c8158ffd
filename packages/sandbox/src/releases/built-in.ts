import { createHash } from 'node:crypto';
import { al2023Releases, al2Releases } from './amazon-linux.ts';
import { bottlerocketReleases } from './bottlerocket.ts';
import type { Release } from './release.ts';

/** The history that every sandbox knows: builds for Kubernetes 1.28 and 1.29, October 2023 to March 2024. */
export const builtInReleases = (): readonly Release[] =>
  [...al2Releases(), ...al2023Releases(), ...bottlerocketReleases()].map((build) => ({
    ...build,
    imageId: imageIdOf(build.name),
  }));

/** The same name has the same id in every sandbox. */
const imageIdOf = (name: string): string => `ami-0${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
