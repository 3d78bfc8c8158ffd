/** What EKS says about a minor version of Kubernetes. Dates are those of EKS's release calendar. */
export type ClusterVersion = {
  readonly version: string;
  readonly patch: string;
  readonly platform: string;
  readonly released: string;
  readonly standardUntil: string;
  readonly extendedUntil: string;
};

/** The minors a control plane can run, oldest first. */
export const clusterVersions: readonly ClusterVersion[] = [
  {
    version: '1.28',
    patch: '1.28.5',
    platform: 'eks.7',
    released: '2023-09-26',
    standardUntil: '2024-11-26',
    extendedUntil: '2025-11-26',
  },
  {
    version: '1.29',
    patch: '1.29.0',
    platform: 'eks.1',
    released: '2024-01-23',
    standardUntil: '2025-03-23',
    extendedUntil: '2026-03-23',
  },
];

export const platformOf = (version: string): string =>
  clusterVersions.find((each) => each.version === version)?.platform ?? 'eks.1';

const minorOf = (version: string): number => Number(version.split('.')[1]);

/** Whether a control plane may go from one minor to the other in one step: one up, among the known ones. */
export const isNextVersion = (from: string, to: string): boolean =>
  clusterVersions.some(({ version }) => version === to) && minorOf(to) === minorOf(from) + 1;
