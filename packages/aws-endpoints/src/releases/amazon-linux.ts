import type { Build } from './build.ts';
import { type BuildDay, buildDays, imaginedDays, withinSupport } from './days.ts';
import { kubeletVersion } from './kubelets.ts';
import { imagesUntil, type Minor, parseMinorNumber } from './minors.ts';
import type { ImageRelease } from './release.ts';
import { valueAsOf, parseTimeline } from './timeline.ts';

/** EKS published the last AL2 images on 26 November 2025, none of them for a minor after 1.32. */
const al2Days = buildDays(`
  20220824 20220929 20221028 20221104 20221108 20221115 20221222+4 20230105+4 20230127+4 20230203+5 20230217+4
  20230304+3 20230322+4 20230411+5 20230501+4 20230513+4 20230526+5 20230607+5 20230703+4 20230711+6 20230728+4
  20230816+5 20230825+5 20230919+4 20231002+3 20231027+4 20231106+3 20231116+5 20231201+5 20231230+5 20240110+3
  20240117+6 20240129+3 20240202+4 20240209+5 20240227+3 20240307+4 20240315+4 20240329+4 20240404+4 20240415+3
  20240424+4 20240506+3 20240514+3 20240522+4 20240531+4 20240605+5 20240615+4 20240625+3 20240703+5 20240716+3
  20240729+3 20240807+3 20240817+3 20240828+3 20240904+4 20240917+3 20240928+4 20241011+4 20241024+4 20241106+3
  20241115+5 20241121+5 20241205+5 20241213+5 20250103+4 20250116+4 20250123+4 20250203+3 20250212+4 20250224+4
  20250304+3 20250317+4 20250403+4 20250410+4 20250419+4 20250505+3 20250519+3 20250602+3 20250620+4 20250704+4
  20250715+3 20250801+4 20250813+4 20250829+4 20250910+4 20250920+4 20251002+4 20251016+4 20251029+3 20251120+6
`);
const lastAl2Minor = 32;

const imagined = imaginedDays('2025-11-20', '2028-07-31');

/**
 * Made on the same days, from the first images of January 2024 on. One build of 2026 has its own day; the others there are
 * imagined.
 */
const al2023Days: readonly BuildDay[] = [
  ...buildDays('20240117+7 20240129+3 20240213+4 20240219+4'),
  ...al2Days.filter(({ created }) => created > '2024-02-19'),
  ...imagined.filter(({ created }) => created < '2026-05-20'),
  ...buildDays('20260520+6'),
  ...imagined.filter(({ created }) => created > '2026-05-27'),
];
const firstAl2023Minor = 23;

const al2Kernels = parseTimeline(`
  2022-08-01 5.4.209-116.367.amzn2, 2023-01-01 5.10.165-143.735.amzn2, 2023-10-02 5.10.192-183.736.amzn2,
  2023-10-27 5.10.197-186.748.amzn2, 2023-11-06 5.10.198-187.748.amzn2, 2023-12-01 5.10.199-190.747.amzn2,
  2023-12-30 5.10.201-191.748.amzn2, 2024-01-10 5.10.205-195.804.amzn2, 2024-01-29 5.10.205-195.807.amzn2,
  2024-02-09 5.10.209-198.812.amzn2, 2024-02-27 5.10.209-198.858.amzn2, 2024-06-15 5.10.219-208.866.amzn2,
  2024-12-05 5.10.228-219.884.amzn2, 2025-06-02 5.10.237-230.949.amzn2
`);
const al2023Kernels = parseTimeline(`
  2024-01-17 6.1.72-96.166.amzn2023, 2024-02-13 6.1.77-99.164.amzn2023, 2024-08-07 6.1.102-108.177.amzn2023,
  2025-02-12 6.1.127-135.201.amzn2023, 2025-08-13 6.12.40-63.114.amzn2023, 2026-02-01 6.12.63-84.121.amzn2023
`);

type AmazonLinuxLine = Pick<ImageRelease, 'variant' | 'arch'> & {
  readonly namePrefix: string;
  readonly since?: string;
};

/** The GPU images serve Neuron devices too. */
const al2Lines: readonly AmazonLinuxLine[] = [
  { variant: 'standard', arch: 'amd64', namePrefix: 'amazon-eks-node' },
  { variant: 'standard', arch: 'arm64', namePrefix: 'amazon-eks-arm64-node' },
  { variant: 'nvidia', arch: 'amd64', namePrefix: 'amazon-eks-gpu-node' },
];

const al2023Lines: readonly AmazonLinuxLine[] = [
  { variant: 'standard', arch: 'amd64', namePrefix: 'amazon-eks-node-al2023-x86_64-standard' },
  { variant: 'standard', arch: 'arm64', namePrefix: 'amazon-eks-node-al2023-arm64-standard' },
  { variant: 'nvidia', arch: 'amd64', namePrefix: 'amazon-eks-node-al2023-x86_64-nvidia', since: '2024-10-24' },
  { variant: 'neuron', arch: 'amd64', namePrefix: 'amazon-eks-node-al2023-x86_64-neuron', since: '2024-10-24' },
  { variant: 'nvidia', arch: 'arm64', namePrefix: 'amazon-eks-node-al2023-arm64-nvidia', since: '2025-01-16' },
];

export function al2Releases(minor: Minor): readonly Build[] {
  if (parseMinorNumber(minor.version) > lastAl2Minor) return [];
  return buildAmazonLinuxReleases(minor, { days: al2Days, lines: al2Lines, kernels: al2Kernels }, () => ({
    family: 'AL2',
    osImage: 'Amazon Linux 2',
  }));
}

export function al2023Releases(minor: Minor): readonly Build[] {
  if (parseMinorNumber(minor.version) < firstAl2023Minor) return [];
  return buildAmazonLinuxReleases(
    minor,
    { days: al2023Days, lines: al2023Lines, kernels: al2023Kernels },
    ({ created }) => ({
      family: 'AL2023',
      osImage: `Amazon Linux 2023.${Number(created.slice(0, 4)) < 2025 ? 3 : 9}.${created.replaceAll('-', '')}`,
    }),
  );
}

type Tables = {
  readonly days: readonly BuildDay[];
  readonly lines: readonly AmazonLinuxLine[];
  readonly kernels: ReturnType<typeof parseTimeline>;
};

/** Hours are those of every build: made at 20:00, published at 18:00 UTC; those published on the day they were made, later. */
const buildAmazonLinuxReleases = (
  minor: Minor,
  { days, lines, kernels }: Tables,
  system: (day: BuildDay) => Pick<Build, 'family' | 'osImage'>,
): readonly Build[] =>
  withinSupport(days, { released: minor.released, until: imagesUntil(minor) }).flatMap((day) => {
    const kubernetesVersion = minor.version;
    const version = `v${day.created.replaceAll('-', '')}`;
    const sameDay = day.created === day.published;
    const common = {
      ...system(day),
      kubernetesVersion,
      version,
      createdAt: `${day.created}T${sameDay ? '06' : '20'}:00:00Z`,
      publishedAt: `${day.published}T18:00:00Z`,
      kubeletVersion: kubeletVersion(kubernetesVersion, day.created, 'eks'),
      containerRuntimeVersion: day.created < '2025-03-01' ? 'containerd://1.7.2' : 'containerd://1.7.27',
    };
    const kernel = valueAsOf(kernels, day.created);
    return lines
      .filter(({ since = '' }) => since <= day.created)
      .map(({ namePrefix, variant, arch }) => ({
        ...common,
        variant,
        arch,
        name: `${namePrefix}-${kubernetesVersion}-${version}`,
        kernelVersion: `${kernel}.${arch === 'amd64' ? 'x86_64' : 'aarch64'}`,
      }));
  });
