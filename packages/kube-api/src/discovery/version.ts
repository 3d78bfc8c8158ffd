/** The answer to `GET /version`: an EKS build of the minor version. */
export type VersionInfo = Readonly<Record<string, string>>;

/** The EKS build of each minor version. For the versions of the built-in stories, it is a build of their time. */
const eksBuilds: Readonly<Record<number, string>> = {
  27: '27.9-eks-5e0fdde',
  28: '28.5-eks-5e0fdde',
  29: '29.0-eks-c417bb3',
  30: '30.14-eks-4096722',
  31: '31.13-eks-4096722',
  32: '32.9-eks-4096722',
  33: '33.5-eks-4096722',
  34: '34.1-eks-4096722',
};

export function versionInfo(minor: number): VersionInfo {
  return {
    major: '1',
    minor: String(minor),
    // A newer server can behave as an older one. This one never does.
    ...(minor >= 36 && {
      emulationMajor: '1',
      emulationMinor: String(minor),
      minCompatibilityMajor: '1',
      minCompatibilityMinor: String(minor - 1),
    }),
    gitVersion: `v1.${eksBuilds[minor] ?? `${minor}.0-eks-4096722`}`,
    gitCommit: '4096722f0c1d3b5e7a9c2d4e6f8091a2b3c4d5e6',
    gitTreeState: 'clean',
    buildDate: '2024-01-01T00:00:00Z',
    goVersion: 'go1.21.6',
    compiler: 'gc',
    platform: 'linux/amd64',
  };
}

/** The labels of the metric that says what is running. */
export function buildLabels(minor: number): Readonly<Record<string, string>> {
  const { buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, platform } = versionInfo(minor);
  const names = { build_date: buildDate, compiler, git_commit: gitCommit, git_tree_state: gitTreeState };
  const labels = { ...names, git_version: gitVersion, go_version: goVersion, major, minor: String(minor), platform };
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value ?? '']));
}

/** Parses `1.29`. Throws when the text is not a Kubernetes minor version. */
export function parseMinor(version: string): number {
  const minor = /^1\.(\d+)$/.exec(version)?.[1];
  if (minor === undefined) throw new Error(`Kubernetes version ${JSON.stringify(version)} is not of the form 1.29`);
  return Number(minor);
}
