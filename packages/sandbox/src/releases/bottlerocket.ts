import type { Build } from './build.ts';
import type { Release } from './release.ts';

/** One release of Bottlerocket: every variant is built from the same commit. */
type Version = {
  readonly version: string;
  /** First digits of the commit; the images' names end with them. */
  readonly commit: string;
  readonly created: string;
  readonly published: string;
  /** By minor; a minor that is missing had no variant yet. */
  readonly kubelet: Readonly<Record<string, string>>;
  readonly kernel: string;
};

const versions: readonly Version[] = [
  {
    version: '1.16.0',
    commit: 'd2d9cf87',
    created: '2023-10-25',
    published: '2023-10-27',
    kubelet: { '1.28': 'v1.28.2-eks-37c5d1c' },
    kernel: '6.1.55',
  },
  {
    version: '1.16.1',
    commit: '763f6d4c',
    created: '2023-11-13',
    published: '2023-11-14',
    kubelet: { '1.28': 'v1.28.2-eks-37c5d1c' },
    kernel: '6.1.59',
  },
  {
    version: '1.17.0',
    commit: '53f322c2',
    created: '2023-12-06',
    published: '2023-12-08',
    kubelet: { '1.28': 'v1.28.4-eks-d91a302' },
    kernel: '6.1.61',
  },
  {
    version: '1.18.0',
    commit: '7452c37e',
    created: '2024-01-23',
    published: '2024-01-25',
    kubelet: { '1.28': 'v1.28.4-eks-d91a302', '1.29': 'v1.29.0-eks-a5ec690' },
    kernel: '6.1.66',
  },
  {
    version: '1.19.0',
    commit: '5c19e2c3',
    created: '2024-02-06',
    published: '2024-02-08',
    kubelet: { '1.28': 'v1.28.4-eks-d91a302', '1.29': 'v1.29.0-eks-a5ec690' },
    kernel: '6.1.72',
  },
  {
    version: '1.19.1',
    commit: 'c325a08b',
    created: '2024-02-12',
    published: '2024-02-14',
    kubelet: { '1.28': 'v1.28.4-eks-d91a302', '1.29': 'v1.29.0-eks-a5ec690' },
    kernel: '6.1.77',
  },
];

/** The standard images serve Neuron devices too. */
const lines: readonly Pick<Release, 'variant' | 'arch'>[] = [
  { variant: 'standard', arch: 'amd64' },
  { variant: 'standard', arch: 'arm64' },
  { variant: 'nvidia', arch: 'amd64' },
  { variant: 'nvidia', arch: 'arm64' },
];

export const bottlerocketReleases = (): readonly Build[] =>
  versions.flatMap((version) =>
    Object.entries(version.kubelet).flatMap(([kubernetesVersion, kubeletVersion]) =>
      lines.map((line) => buildOf(version, { ...line, kubernetesVersion, kubeletVersion })),
    ),
  );

type Line = Pick<Build, 'variant' | 'arch' | 'kubernetesVersion' | 'kubeletVersion'>;

function buildOf({ version, commit, created, published, kernel }: Version, line: Line): Build {
  const flavour = `aws-k8s-${line.kubernetesVersion}${line.variant === 'standard' ? '' : `-${line.variant}`}`;
  const machine = line.arch === 'amd64' ? 'x86_64' : 'aarch64';
  return {
    ...line,
    family: 'Bottlerocket',
    version,
    name: `bottlerocket-${flavour}-${machine}-v${version}-${commit}`,
    createdAt: `${created}T20:00:00Z`,
    publishedAt: `${published}T18:00:00Z`,
    osImage: `Bottlerocket OS ${version} (${flavour})`,
    kernelVersion: kernel,
    containerRuntimeVersion: 'containerd://1.6.26+bottlerocket',
  };
}
