import type { ClusterVersionStatus, VersionStatus } from '@aws-sdk/client-eks';
import { type Instant, readOwn } from '@nodewright/apis';
import { type Minor, minors, parseMinorNumber } from '../releases/minors.ts';

/** What EKS says about a minor version of Kubernetes. Dates are those of EKS's release calendar. */
export type ClusterVersion = Minor & { readonly patch: string; readonly platform: string };

/** Patch and platform versions that were recorded; others are plausible. */
const recordedClusterVersions: Readonly<Record<string, Pick<ClusterVersion, 'patch' | 'platform'>>> = {
  '1.23': { patch: '1.23.17', platform: 'eks.13' },
  '1.28': { patch: '1.28.5', platform: 'eks.7' },
  '1.29': { patch: '1.29.0', platform: 'eks.1' },
};

/** The minors a control plane can run, oldest first. */
export const clusterVersions: readonly ClusterVersion[] = minors.map((minor) => ({
  ...minor,
  ...(readOwn(recordedClusterVersions, minor.version) ?? { patch: `${minor.version}.4`, platform: 'eks.8' }),
}));

export const platformOf = (version: string): string =>
  clusterVersions.find((each) => each.version === version)?.platform ?? 'eks.1';

/** Whether a control plane may go from one minor to the other in one step: one up, among the known ones. */
export const isNextVersion = (from: string, to: string): boolean =>
  clusterVersions.some(({ version }) => version === to) && parseMinorNumber(to) === parseMinorNumber(from) + 1;

/** The published versions, oldest first. */
export const versionsAt = (now: Instant): readonly ClusterVersion[] =>
  clusterVersions.filter(({ released }) => Date.parse(released) <= now);

/** The version of a cluster that is created without one: the newest published minor. */
export const defaultVersion = (now: Instant): string => versionsAt(now).at(-1)?.version ?? '';

export type Support = { readonly status: ClusterVersionStatus; readonly versionStatus: VersionStatus };

export function supportOf({ standardUntil, extendedUntil }: ClusterVersion, now: Instant): Support {
  if (now < Date.parse(standardUntil)) return { status: 'standard-support', versionStatus: 'STANDARD_SUPPORT' };
  if (now < Date.parse(extendedUntil)) return { status: 'extended-support', versionStatus: 'EXTENDED_SUPPORT' };
  return { status: 'unsupported', versionStatus: 'UNSUPPORTED' };
}
