import { fromTimestamp, instant, type Instant, toTimestamp } from '@nodewright/apis';
import type { Random } from '@nodewright/runtime';
import type { ImageRelease } from '@nodewright/aws-endpoints';

/** A build as it is known from an instant on: what was published again is another record of the same image. */
export type Recorded = { readonly from: Instant; readonly release: ImageRelease };

export type HistoryTraits = {
  readonly random: Random;
  readonly start: Instant;
  readonly days: number;
  /** How long a day of the history lasts: a shorter one lets more happen in less time. */
  readonly dayMs?: number;
};

type Line = Pick<ImageRelease, 'family' | 'variant' | 'arch'> & {
  readonly nameOf: (minor: string, version: string) => string;
};

const bottlerocket = (variant: ImageRelease['variant'], arch: ImageRelease['arch']): Line => ({
  family: 'Bottlerocket',
  variant,
  arch,
  nameOf: (minor, version) => {
    const flavour = variant === 'standard' ? '' : `-${variant}`;
    return `bottlerocket-aws-k8s-${minor}${flavour}-${arch === 'amd64' ? 'x86_64' : 'aarch64'}-v${version}-0a1b2c3d`;
  },
});
const al2 = (variant: ImageRelease['variant'], arch: ImageRelease['arch'], prefix: string): Line => ({
  family: 'AL2',
  variant,
  arch,
  nameOf: (minor, version) => `${prefix}-${minor}-${version}`,
});
const al2023 = (variant: ImageRelease['variant'], arch: ImageRelease['arch']): Line => ({
  family: 'AL2023',
  variant,
  arch,
  nameOf: (minor, version) =>
    `amazon-eks-node-al2023-${arch === 'amd64' ? 'x86_64' : 'arm64'}-${variant}-${minor}-${version}`,
});

const lines: readonly Line[] = [
  al2('standard', 'amd64', 'amazon-eks-node'),
  al2('standard', 'arm64', 'amazon-eks-arm64-node'),
  al2('nvidia', 'amd64', 'amazon-eks-gpu-node'),
  al2023('standard', 'amd64'),
  al2023('standard', 'arm64'),
  al2023('nvidia', 'amd64'),
  al2023('neuron', 'amd64'),
  bottlerocket('standard', 'amd64'),
  bottlerocket('standard', 'arm64'),
  bottlerocket('nvidia', 'amd64'),
  {
    family: 'Windows2022',
    variant: 'standard',
    arch: 'amd64',
    nameOf: (minor, version) => `Windows_Server-2022-English-Core-EKS_Optimized-${minor}-${version}`,
  },
];

const families = [...new Set(lines.map(({ family }) => family))];
const calendarDayMs = 86_400_000;
export const minors = ['1.29', '1.30'] as const;

/**
 * Releases of several families and two minors over some days: irregular, not in every line at once, some
 * promoted late, some deprecated, withdrawn with or without their images, and published again.
 */
export function randomHistory({ random, dayMs = calendarDayMs, ...time }: HistoryTraits): readonly Recorded[] {
  return families.flatMap((family) =>
    minors.flatMap((minor) =>
      familyHistory(family, minor, { random: random.fork(`${family} ${minor}`), dayMs, ...time }),
    ),
  );
}

function familyHistory(
  family: ImageRelease['family'],
  minor: string,
  traits: Required<HistoryTraits>,
): readonly Recorded[] {
  const { random, start, days, dayMs } = traits;
  const recorded: Recorded[] = [];
  const latest = new Map<string, number>();
  let made = start - 25 * dayMs;
  for (let nth = 0; made < start + days * dayMs; nth += 1) {
    const published = made + someTime(traits, 5);
    for (const line of lines.filter((each) => each.family === family)) {
      if (nth > 0 && random.next() < 0.1) continue; // not built for this machine
      const key = `${line.variant} ${line.arch}`;
      const late = random.next() < 0.3 ? someTime(traits, 5) : 0;
      const publishedAt = Math.max(published + late, (latest.get(key) ?? 0) + dayMs / 24);
      const records = fates(buildOf(line, { minor, made, published: publishedAt, nth }), traits);
      latest.set(key, Math.max(...records.map(({ release }) => Date.parse(release.promotedAt ?? release.publishedAt))));
      recorded.push(...records);
    }
    made += 3 * dayMs + someTime(traits, 8);
  }
  return recorded;
}

type Pace = Pick<Required<HistoryTraits>, 'random' | 'dayMs'>;

/** Up to so many days of the history, in milliseconds: whole seconds. */
const someTime = ({ random, dayMs }: Pace, days: number): number =>
  Math.floor((random.next() * days * dayMs) / 1000) * 1000;

type Making = { readonly minor: string; readonly made: number; readonly published: number; readonly nth: number };

function buildOf(line: Line, { minor, made, published, nth }: Making): ImageRelease {
  const version = versionOf(line.family, nth);
  const { nameOf, ...kind } = line;
  const name = nameOf(minor, version);
  return {
    ...kind,
    kubernetesVersion: minor,
    version,
    name,
    imageId: idOf(name),
    createdAt: toTimestamp(instant(made)),
    publishedAt: toTimestamp(instant(published)),
    kubeletVersion: `v${minor}.0-eks-5e0fdde`,
    osImage: line.family,
    kernelVersion: '6.1.72',
    containerRuntimeVersion: 'containerd://1.7.2',
  };
}

function versionOf(family: ImageRelease['family'], nth: number): string {
  if (family === 'Bottlerocket') return `1.${9 + nth}.0`;
  const day = toTimestamp(instant(Date.UTC(2024, 4, 1 + nth))).slice(0, 10);
  return family === 'Windows2022' ? day.replaceAll('-', '.') : `v${day.replaceAll('-', '')}`;
}

/** Digits that follow from the name. */
function idOf(name: string): string {
  let hash = 0n;
  for (const letter of name) hash = (hash * 1_099_511_628_211n + BigInt(letter.codePointAt(0) ?? 0)) % (1n << 64n);
  return `ami-0${hash.toString(16).padStart(16, '0')}`;
}

/** What becomes of a build. */
function fates(build: ImageRelease, pace: Pace): readonly Recorded[] {
  const { random, dayMs } = pace;
  const published = fromTimestamp(build.publishedAt);
  const after = (days: number): string => toTimestamp(instant(published + dayMs / 24 + someTime(pace, days)));
  const forever = (release: ImageRelease): readonly Recorded[] => [{ from: instant(0), release }];
  const promoted = build.family === 'Bottlerocket' && random.next() < 0.4 ? { ...build, promotedAt: after(3) } : build;
  const chance = random.next();
  if (chance < 0.12) return forever({ ...promoted, deprecatedAt: after(20) });
  if (chance < 0.22) return forever({ ...build, withdrawnAt: after(15) });
  if (chance < 0.32) return forever({ ...build, recalledAt: after(4) });
  if (chance < 0.37) return forever({ ...build, recalledAt: after(2), deprecatedAt: after(6) });
  if (chance >= 0.44) return forever(promoted);
  const withdrawnAt = after(2);
  const again = instant(fromTimestamp(withdrawnAt) + dayMs / 24 + someTime(pace, 1));
  return [
    ...forever({ ...build, withdrawnAt }),
    { from: again, release: { ...build, publishedAt: toTimestamp(again) } },
  ];
}
