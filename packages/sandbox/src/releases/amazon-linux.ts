import type { Build } from './build.ts';
import type { Release } from './release.ts';

/** One day's build of all Amazon Linux images. Hours are those of every build: made at 20:00, published at 18:00 UTC. */
type Day = {
  readonly version: string;
  readonly created: string;
  readonly published: string;
  /** By minor; a minor that is missing had no image that day. */
  readonly kubelet: Readonly<Record<string, string>>;
  readonly kernel: string;
};

const at5e0fdde = { '1.28': 'v1.28.5-eks-5e0fdde', '1.29': 'v1.29.0-eks-5e0fdde' };
const only128 = (kubelet: string) => ({ '1.28': kubelet });

const al2Days: readonly Day[] = [
  day('2023-10-02', '2023-10-05', only128('v1.28.1-eks-43840fb'), '5.10.192-183.736.amzn2'),
  day('2023-10-27', '2023-10-31', only128('v1.28.2-eks-a5565ad'), '5.10.197-186.748.amzn2'),
  day('2023-11-06', '2023-11-09', only128('v1.28.3-eks-4f4795d'), '5.10.198-187.748.amzn2'),
  day('2023-11-16', '2023-11-21', only128('v1.28.3-eks-e71965b'), '5.10.198-187.748.amzn2'),
  day('2023-12-01', '2023-12-06', only128('v1.28.3-eks-e71965b'), '5.10.199-190.747.amzn2'),
  day('2023-12-30', '2024-01-04', only128('v1.28.5-eks-5e0fdde'), '5.10.201-191.748.amzn2'),
  day('2024-01-10', '2024-01-13', only128('v1.28.5-eks-5e0fdde'), '5.10.205-195.804.amzn2'),
  day('2024-01-17', '2024-01-23', at5e0fdde, '5.10.205-195.804.amzn2'),
  day('2024-01-29', '2024-02-01', at5e0fdde, '5.10.205-195.807.amzn2'),
  day('2024-02-02', '2024-02-06', at5e0fdde, '5.10.205-195.807.amzn2'),
  day('2024-02-09', '2024-02-14', at5e0fdde, '5.10.209-198.812.amzn2'),
  day('2024-02-27', '2024-03-01', at5e0fdde, '5.10.209-198.858.amzn2'),
];

const al2023Days: readonly Day[] = [
  day('2024-01-17', '2024-01-24', at5e0fdde, '6.1.72-96.166.amzn2023'),
  day('2024-02-13', '2024-02-29', at5e0fdde, '6.1.77-99.164.amzn2023'),
];

function day(created: string, published: string, kubelet: Day['kubelet'], kernel: string): Day {
  return { version: `v${created.replaceAll('-', '')}`, created, published, kubelet, kernel };
}

type Line = Pick<Release, 'variant' | 'arch'> & { readonly namePrefix: string };

/** The GPU images serve Neuron devices too. */
const al2Lines: readonly Line[] = [
  { variant: 'standard', arch: 'amd64', namePrefix: 'amazon-eks-node' },
  { variant: 'standard', arch: 'arm64', namePrefix: 'amazon-eks-arm64-node' },
  { variant: 'nvidia', arch: 'amd64', namePrefix: 'amazon-eks-gpu-node' },
];

const al2023Lines: readonly Line[] = [
  { variant: 'standard', arch: 'amd64', namePrefix: 'amazon-eks-node-al2023-x86_64-standard' },
  { variant: 'standard', arch: 'arm64', namePrefix: 'amazon-eks-node-al2023-arm64-standard' },
];

export const al2Releases = (): readonly Build[] =>
  buildsOf(al2Days, al2Lines, () => ({ family: 'AL2', osImage: 'Amazon Linux 2' }));

export const al2023Releases = (): readonly Build[] =>
  buildsOf(al2023Days, al2023Lines, ({ version }) => ({
    family: 'AL2023',
    osImage: `Amazon Linux 2023.3.${version.slice(1)}`,
  }));

const buildsOf = (
  days: readonly Day[],
  lines: readonly Line[],
  system: (day: Day) => Pick<Build, 'family' | 'osImage'>,
): readonly Build[] =>
  days.flatMap((day) =>
    Object.entries(day.kubelet).flatMap(([kubernetesVersion, kubeletVersion]) =>
      lines.map(({ namePrefix, variant, arch }) => ({
        ...system(day),
        variant,
        arch,
        kubernetesVersion,
        version: day.version,
        name: `${namePrefix}-${kubernetesVersion}-${day.version}`,
        createdAt: `${day.created}T20:00:00Z`,
        publishedAt: `${day.published}T18:00:00Z`,
        kubeletVersion,
        kernelVersion: `${day.kernel}.${arch === 'amd64' ? 'x86_64' : 'aarch64'}`,
        containerRuntimeVersion: 'containerd://1.7.2',
      })),
    ),
  );
