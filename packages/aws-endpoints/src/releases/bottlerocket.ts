import { readOwn } from '@nodewright/apis';
import type { Build } from './build.ts';
import { type BuildDay, buildDays, digitsOf, imaginedDays, within } from './days.ts';
import { kubeletVersion } from './kubelets.ts';
import { imagesUntil, type Minor } from './minors.ts';
import type { Release } from './release.ts';
import { asOf, timeline } from './timeline.ts';

/** One release of Bottlerocket: every variant is built from the same commit. */
type Version = BuildDay & { readonly version: string };

const recorded = `
  1.9.0 20220726+2, 1.9.1 20220815+2, 1.9.2 20220829+2, 1.10.0 20221011+2, 1.10.1 20221017+2, 1.11.0 20221114+2,
  1.11.1 20221128+2, 1.12.0 20230124+2, 1.13.0 20230222+2, 1.13.1 20230308+2, 1.13.2 20230404+2, 1.13.4 20230502+2,
  1.13.5 20230515+2, 1.14.0 20230606+2, 1.14.1 20230622+2, 1.14.3 20230719+2, 1.15.0 20230919+2, 1.15.1 20231009+2,
  1.16.0 20231025+2, 1.16.1 20231113+1, 1.17.0 20231206+2, 1.18.0 20240123+2, 1.19.0 20240206+2, 1.19.1 20240212+2,
  1.19.2 20240226+2, 1.19.3 20240326+2, 1.19.4 20240409+2, 1.19.5 20240430+2, 1.20.0 20240509+2, 1.20.1 20240604+2,
  1.20.3 20240628+2, 1.20.4 20240715+2, 1.20.5 20240730+2, 1.21.0 20240820+2, 1.21.1 20240827+2, 1.22.0 20240923+2,
  1.24.0 20241003+2, 1.25.0 20241022+2, 1.26.1 20241112+2, 1.27.0 20241119+2, 1.28.0 20241206+2, 1.29.0 20241210+2,
  1.30.0 20241218+2, 1.31.0 20250113+2, 1.32.0 20250204+2, 1.33.0 20250220+2, 1.34.0 20250306+2, 1.35.0 20250320+2,
  1.36.0 20250410+2, 1.37.0 20250424+2, 1.38.0 20250508+2, 1.39.0 20250522+2, 1.40.0 20250605+2, 1.41.0 20250620+2,
  1.42.0 20250708+2
`;

const recordedVersions: readonly Version[] = recorded
  .trim()
  .split(/\s*,\s*/)
  .flatMap((entry) => {
    const [version = '', day = ''] = entry.split(' ');
    return buildDays(day).map((days) => ({ version, ...days }));
  });

/** Every second of the days on which Amazon Linux might come out. */
const versions: readonly Version[] = [
  ...recordedVersions,
  ...imaginedDays('2025-07-16', '2028-07-31')
    .filter((_, at) => at % 2 === 0)
    .map((day, at) => ({ version: `1.${43 + at}.0`, ...day })),
];

/** First digits of the commit; the images' names end with them. */
const commits: Readonly<Record<string, string>> = {
  '1.16.0': 'd2d9cf87',
  '1.16.1': '763f6d4c',
  '1.17.0': '53f322c2',
  '1.18.0': '7452c37e',
  '1.19.0': '5c19e2c3',
  '1.19.1': 'c325a08b',
  '1.42.0': '5ed15786',
};

const kernels = timeline(`
  2022-07-01 5.10.130, 2022-11-14 5.15.59, 2023-06-06 5.15.108, 2023-10-25 6.1.55, 2023-11-13 6.1.59, 2023-12-06 6.1.61,
  2024-01-23 6.1.66, 2024-02-06 6.1.72, 2024-02-12 6.1.77, 2024-08-20 6.1.102, 2025-02-20 6.1.127, 2025-07-08 6.1.141,
  2026-01-01 6.12.63
`);

type Line = Pick<Release, 'variant' | 'arch'> & { readonly since?: string };

/** The standard images serve Neuron devices too. */
const lines: readonly Line[] = [
  { variant: 'standard', arch: 'amd64' },
  { variant: 'standard', arch: 'arm64' },
  { variant: 'nvidia', arch: 'amd64' },
  { variant: 'nvidia', arch: 'arm64' },
  { variant: 'fips', arch: 'amd64', since: '2024-11-19' },
  { variant: 'fips', arch: 'arm64', since: '2024-11-19' },
  { variant: 'nvidia-fips', arch: 'amd64', since: '2026-01-01' },
  { variant: 'nvidia-fips', arch: 'arm64', since: '2026-01-01' },
];

export const bottlerocketReleases = (minor: Minor): readonly Build[] =>
  within(versions, { released: minor.released, until: imagesUntil(minor) }).flatMap((version) =>
    lines.filter(({ since = '' }) => since <= version.created).map((line) => buildOf(version, line, minor.version)),
  );

function buildOf({ version, created, published }: Version, { variant, arch }: Line, kubernetesVersion: string): Build {
  const flavour = `aws-k8s-${kubernetesVersion}${variant === 'standard' ? '' : `-${variant}`}`;
  const machine = arch === 'amd64' ? 'x86_64' : 'aarch64';
  const commit = readOwn(commits, version) ?? digitsOf(`bottlerocket ${version}`, 8);
  return {
    family: 'Bottlerocket',
    variant,
    arch,
    kubernetesVersion,
    version,
    name: `bottlerocket-${flavour}-${machine}-v${version}-${commit}`,
    createdAt: `${created}T20:00:00Z`,
    publishedAt: `${published}T18:00:00Z`,
    kubeletVersion: kubeletVersion(kubernetesVersion, created, 'bottlerocket'),
    osImage: `Bottlerocket OS ${version} (${flavour})`,
    kernelVersion: asOf(kernels, created),
    containerRuntimeVersion:
      created < '2024-09-01' ? 'containerd://1.6.26+bottlerocket' : 'containerd://1.7.24+bottlerocket',
  };
}
