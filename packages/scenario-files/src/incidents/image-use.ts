import type { AmiSelectorTerm, EC2NodeClass } from '@nodewright/apis';
import { amiFamilyOf, parsedAlias, pinnedReleaseOf } from '@nodewright/engine';

/** The families whose releases incidents can bring out, and the versions that they get there. */
const inventedVersions = {
  AL2023: ['v20300101', 'v20300102'],
  Bottlerocket: ['9.99.0', '9.99.1'],
  AL2: ['v20300101', 'v20300102'],
  Ubuntu: ['v20300101', 'v20300102'],
} as const;

export type IncidentFamily = keyof typeof inventedVersions;

/** The version of the first release that an incident brings out for a family, or of the next one. */
export const inventedVersion = (family: IncidentFamily, which: 0 | 1): string => inventedVersions[family][which];

/** How EC2NodeClasses choose images. */
export type ImageUse = {
  /** Families whose newest release they follow. */
  readonly followed: readonly IncidentFamily[];
  /** The first release that one of them pins. */
  readonly pin?: { readonly family: IncidentFamily; readonly version: string };
};

/** Images that are named by their ids are another account's: the newest release stands for them. */
export function readImageUse(nodeClasses: readonly EC2NodeClass[]): ImageUse {
  const terms = nodeClasses.flatMap((nodeClass) =>
    (nodeClass.spec.amiSelectorTerms ?? []).map((term) => ({ term, family: incidentFamilyOf(nodeClass, term) })),
  );
  const pins = terms.flatMap(({ term, family }) => {
    const version = pinnedReleaseOf(term)?.version;
    if (version === undefined || family === undefined) return [];
    return [{ family, version: family === 'Bottlerocket' ? version.replace(/^v/, '') : version }];
  });
  const followed = terms.flatMap(({ term, family }) =>
    family === undefined || pinnedReleaseOf(term)?.version !== undefined ? [] : [family],
  );
  return { followed: [...new Set(followed)], ...(pins[0] && { pin: pins[0] }) };
}

/** Custom images stand for the newest AL2023 in a scenario; Windows has none of these incidents. */
function incidentFamilyOf(nodeClass: EC2NodeClass, { alias, name }: AmiSelectorTerm): IncidentFamily | undefined {
  if (alias !== undefined && parsedAlias(alias).family === 'ubuntu') return 'Ubuntu';
  if (name?.startsWith('bottlerocket-') === true) return 'Bottlerocket';
  const family = amiFamilyOf(nodeClass);
  if (family === 'Custom') return 'AL2023';
  return family === 'AL2023' || family === 'AL2' || family === 'Bottlerocket' ? family : undefined;
}
