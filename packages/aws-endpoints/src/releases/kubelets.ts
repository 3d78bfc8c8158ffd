import { readOwn } from '@nodewright/apis';
import { daysAfter, daysBetween, digitsOf } from './days.ts';
import { minorNamed } from './minors.ts';
import { parseTimeline, type Timeline } from './timeline.ts';

/** Who builds the kubelet: EKS for its own images, the Bottlerocket project for theirs. */
export type KubeletBuilder = 'eks' | 'bottlerocket';

/** What was recorded: from which day on which patch and build. */
const recordedKubelets: Readonly<Record<KubeletBuilder, Readonly<Record<string, Timeline>>>> = {
  eks: {
    '1.23': parseTimeline('2022-08-11 9-ba74326'),
    '1.24': parseTimeline('2022-11-15 7-fb459a0, 2023-07-03 15-a5565ad'),
    '1.25': parseTimeline('2023-02-22 6-48e63af, 2023-07-03 11-a5565ad'),
    '1.28': parseTimeline(
      '2023-09-26 1-43840fb, 2023-10-27 2-a5565ad, 2023-11-06 3-4f4795d, 2023-11-16 3-e71965b, 2023-12-30 5-5e0fdde',
    ),
    '1.29': parseTimeline('2024-01-17 0-5e0fdde'),
  },
  bottlerocket: {
    '1.28': parseTimeline('2023-09-26 2-37c5d1c, 2023-12-06 4-d91a302'),
    '1.29': parseTimeline('2024-01-23 0-a5ec690'),
  },
};

/** How long a patch version without a recorded date lasts. */
const patchDays = 75;

/** What the kubelet of an image reports that was built on a day: `v1.28.5-eks-5e0fdde`. */
export function kubeletVersion(minor: string, created: string, builder: KubeletBuilder): string {
  const known = readOwn(recordedKubelets[builder], minor);
  const last = known?.findLast(({ since }) => since <= created) ?? known?.[0];
  const since = last?.since ?? daysAfter(minorNamed(minor)?.released ?? created, -patchDays);
  const isOpen = last === undefined || last === known?.at(-1);
  const steps = isOpen ? Math.max(0, Math.floor(daysBetween(since, created) / patchDays)) : 0;
  if (last !== undefined && steps === 0) return `v${minor}.${last.value.replace('-', '-eks-')}`;
  const patch = Number(last?.value.split('-')[0] ?? 0) + steps;
  return `v${minor}.${patch}-eks-${digitsOf(`${builder} ${minor}.${patch}`, 7)}`;
}
