import { instant, type NodeRolloutPolicy } from '@nodewright/apis';
import { sortGivenObjects } from '../manifests/given-cluster.ts';
import { readManifestFiles } from '../manifests/manifest-files.ts';
import { chooseMinor } from '../world/choose-minor.ts';
import { usualStart } from '../world/usual-cluster.ts';
import { type ImageUse, readImageUse } from './image-use.ts';

/** What the manifests of a team say that an incident of the library depends on. */
export type TeamManifests = {
  readonly images: ImageUse;
  /** Whether they bring a NodeRolloutPolicy: it takes the place of that of the library. */
  readonly hasPolicy: boolean;
  /** Whether one of them replaces nodes before they expire. */
  readonly hasMaxAge: boolean;
  /** The Kubernetes version in which they are played. */
  readonly minor: string;
};

/** The release that the pinned fleet of the library is on. */
export const pinnedInLibrary = 'v20251029';

/** Teams without an EC2NodeClass get those of the library. */
const libraryImages: ImageUse = { followed: ['AL2023'], pin: { family: 'AL2023', version: pinnedInLibrary } };

/**
 * Reads a file or a folder of a team.
 * @throws ScenarioFileError for what cannot be read
 */
export function readTeamManifests(path: string): TeamManifests {
  const place = { file: path, line: 1, column: 1 };
  const source = { from: path, standardInput: () => '', clusterName: '' };
  const { objects, nodeClasses } = sortGivenObjects(readManifestFiles([{ path, place }], source).objects);
  const policies = objects.flatMap(({ object, type }) =>
    type.kind === 'NodeRolloutPolicy' ? [object as NodeRolloutPolicy] : [],
  );
  return {
    images: nodeClasses.length === 0 ? libraryImages : readImageUse(nodeClasses),
    hasPolicy: policies.length > 0,
    hasMaxAge: policies.some(({ spec }) => spec.maxAge !== undefined),
    minor: chooseMinor(nodeClasses, instant(usualStart)),
  };
}
