import type { Random } from '@nodewright/runtime';
import type { BootedMachine, ImageRelease } from '@nodewright/aws-endpoints';
import { hasBehavior } from './node-behaviors.ts';

/** How long a machine takes, in milliseconds: from its launch to a registered node, and from there to a ready one. */
export type BootTimes = { readonly registersAfterMs: number; readonly readyAfterMs: number };

type Range = readonly [from: number, to: number];

const bootRanges: Readonly<Record<ImageRelease['family'], Range>> = {
  AL2: [30_000, 40_000],
  AL2023: [25_000, 33_000],
  AmazonLinux: [25_000, 33_000],
  Bottlerocket: [13_000, 16_000],
  Ubuntu: [35_000, 45_000],
  Windows2019: [240_000, 300_000],
  Windows2022: [210_000, 270_000],
  Windows2025: [210_000, 270_000],
};
const usualBoot: Range = [30_000, 45_000];
/** The container network comes up this long after the kubelet. */
const networkUp: Range = [14_200, 17_000];
/** The extra time of an image that joins late. It stays below the registration timeout of a claim, 15 minutes. */
const lateBy: Range = [480_000, 600_000];

/** What is known of a machine that boots. */
export type BootingMachine = Pick<BootedMachine, 'release' | 'behaviors' | 'shape'>;

/** How long machines were seen to take; `undefined` of those of which too little was seen. */
export type SeenBootTimes = (machine: BootingMachine, random: Random) => BootTimes | undefined;

export function bootTimes(machine: BootingMachine, random: Random, seen?: SeenBootTimes): BootTimes {
  const { release } = machine;
  const times = seen?.(machine, random);
  const usual = release === undefined ? usualBoot : bootRanges[release.family];
  const boot = times?.registersAfterMs ?? randomWithin(usual, random);
  const late = hasBehavior(machine, 'joinsLate') ? randomWithin(lateBy, random) : 0;
  return { registersAfterMs: boot + late, readyAfterMs: times?.readyAfterMs ?? randomWithin(networkUp, random) };
}

const randomWithin = ([from, to]: Range, random: Random): number => from + random.integer(to - from);
