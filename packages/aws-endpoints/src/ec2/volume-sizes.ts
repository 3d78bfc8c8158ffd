import { AwsError } from '../codec/aws-error.ts';
import { invalidCombination, invalidValue } from './errors.ts';
import type { ChangeableVolume } from './volume-changes.ts';

type Bounds = { readonly least: number; readonly most: number };

/** What EC2 documents of each type of volume: GiB, operations a second where they are set, and those for each GiB. */
type VolumeBounds = { readonly size: Bounds; readonly iops?: Bounds & { readonly mostPerGib: number } };

const volumeBounds: ReadonlyMap<string, VolumeBounds> = new Map([
  ['standard', { size: { least: 1, most: 1_024 } }],
  ['gp2', { size: { least: 1, most: 16_384 } }],
  ['gp3', { size: { least: 1, most: 65_536 }, iops: { least: 3_000, most: 80_000, mostPerGib: 500 } }],
  ['io1', { size: { least: 4, most: 16_384 }, iops: { least: 100, most: 64_000, mostPerGib: 50 } }],
  ['io2', { size: { least: 4, most: 65_536 }, iops: { least: 100, most: 256_000, mostPerGib: 1_000 } }],
  ['st1', { size: { least: 125, most: 16_384 } }],
  ['sc1', { size: { least: 125, most: 16_384 } }],
]);

/** MiB a second of gp3. */
const throughputBounds: Bounds = { least: 125, most: 2_000 };

export const refuseMultiAttach = (): AwsError =>
  new AwsError('UnsupportedOperation', 'The sandbox has no volumes that several instances share (Multi-Attach).');

/** The least speed of gp3 is its usual one: a volume may have it whatever its size. */
const freeIops = 3_000;

/** @throws AwsError for a type that there is not, or a size that the type does not have */
export function checkVolumeSize(type: string, sizeGib: number): void {
  const size = volumeBounds.get(type)?.size;
  if (size === undefined)
    throw invalidValue(
      `Invalid value '${type}' for VolumeType. Valid values are: ${[...volumeBounds.keys()].join(', ')}.`,
    );
  if (sizeGib < size.least || sizeGib > size.most)
    throw invalidValue(
      `Volume of ${sizeGib}GiB is invalid for type ${type}; it must be from ${size.least} to ${size.most}GiB.`,
    );
}

type AskedSpeed = { readonly Iops?: number | undefined; readonly Throughput?: number | undefined };

/** Operations a second may be stated for `io1`, `io2` and `gp3`, a throughput for `gp3`. @throws AwsError */
export function checkAskedSpeed(type: string, { Iops: iops, Throughput: throughput }: AskedSpeed): void {
  if (iops !== undefined && volumeBounds.get(type)?.iops === undefined)
    throw invalidCombination(`The parameter iops is not supported for ${type} volumes.`);
  if (throughput !== undefined && type !== 'gp3')
    throw invalidCombination(`The parameter throughput is not supported for ${type} volumes.`);
}

/** Checks the speed that a volume would have. @throws AwsError */
export function checkVolumeSpeed({ type, sizeGib, iops, throughput }: ChangeableVolume): void {
  const bounds = volumeBounds.get(type)?.iops;
  if (bounds === undefined) return;
  if (iops === undefined)
    throw new AwsError('MissingParameter', `The parameter iops must be specified for ${type} volumes.`);
  checkBounds('Volume iops', iops, bounds);
  const perGib = iops / sizeGib;
  if (perGib > bounds.mostPerGib && !(type === 'gp3' && iops === freeIops))
    throw invalidValue(
      `Iops to volume size ratio of ${perGib.toFixed(6)} is too high; maximum is ${bounds.mostPerGib.toFixed(6)}`,
    );
  if (throughput === undefined) return;
  checkBounds('Volume throughput', throughput, throughputBounds);
  if (throughput * 4 > iops)
    throw invalidValue(
      `Throughput (MiBps) to iops ratio of ${(throughput / iops).toFixed(6)} is too high; maximum is 0.250000 MiBps per iops.`,
    );
}

function checkBounds(what: string, value: number, { least, most }: Bounds): void {
  if (value < least) throw invalidValue(`${what} of ${value} is too low; minimum is ${least}.`);
  if (value > most) throw invalidValue(`${what} of ${value} is too high; maximum is ${most}.`);
}
