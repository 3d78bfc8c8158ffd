import type {
  DescribeVolumesModificationsRequest,
  DescribeVolumesModificationsResult,
  ModifyVolumeRequest,
  ModifyVolumeResult,
  VolumeModification,
  VolumeType,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { dryRunWouldSucceed, ec2BadToken, invalidValue, missingParameter } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { usualIops } from './launched-disks.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { findVolume } from './volume-operations.ts';
import {
  type ChangeableVolume,
  describeChangeProgress,
  listRecentChanges,
  nextChangeAt,
  type VolumeChange,
} from './volume-changes.ts';
import { checkAskedSpeed, checkVolumeSize, checkVolumeSpeed, refuseMultiAttach } from './volume-sizes.ts';

export function startVolumeChange(ec2: Ec2, request: ModifyVolumeRequest): ModifyVolumeResult {
  const { VolumeId: volumeId = '', MultiAttachEnabled } = request;
  const { Size, VolumeType: Type, Iops, Throughput } = request;
  const from = readChangeable(findVolume(ec2, volumeId));
  if ([Size, Type, Iops, Throughput, MultiAttachEnabled].every((each) => each === undefined))
    throw missingParameter('size, volumeType, iops or throughput');
  if (MultiAttachEnabled === true) throw refuseMultiAttach();
  const to = changeVolume(from, request);
  const now = ec2.clock.now();
  const before = ec2.volumes.changes.get(volumeId);
  checkEarlierChange(before, now);
  const earlier = listRecentChanges(before, now);
  checkChangeRate(earlier);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const change = { volumeId, from, to, startedAt: now, earlier };
  ec2.volumes.changes.set(volumeId, change);
  return { VolumeModification: writeChange(ec2, change) };
}

const readChangeable = ({ sizeGib, type, iops, throughput }: ChangeableVolume): ChangeableVolume => ({
  sizeGib,
  type,
  ...(iops !== undefined && { iops }),
  ...(throughput !== undefined && { throughput }),
});

/** A volume of another type has the usual speed of that type, one of the same type keeps what it had. */
function changeVolume(from: ChangeableVolume, request: ModifyVolumeRequest): ChangeableVolume {
  const { Size: sizeGib = from.sizeGib, VolumeType: type = from.type } = request;
  if (sizeGib < from.sizeGib) throw invalidValue('New size cannot be smaller than existing size');
  checkVolumeSize(type, sizeGib);
  checkAskedSpeed(type, request);
  const hasSetIops = type === 'gp3' || type === 'io1' || type === 'io2';
  const usual = hasSetIops ? 3_000 : usualIops(type, sizeGib);
  const keeps = type === from.type;
  const iops = request.Iops ?? (keeps && hasSetIops ? (from.iops ?? usual) : usual);
  const throughput =
    request.Throughput ?? (type === 'gp3' ? ((keeps ? from.throughput : undefined) ?? 125) : undefined);
  const to = readChangeable({ sizeGib, type, ...(iops && { iops }), ...(throughput && { throughput }) });
  checkVolumeSpeed(to);
  return to;
}

/** @throws AwsError while the last change of the volume is under way */
function checkEarlierChange(before: VolumeChange | undefined, now: VolumeChange['startedAt']): void {
  const state = before && describeChangeProgress(before, now).ModificationState;
  if (state === undefined || state === 'completed') return;
  throw new AwsError(
    'IncorrectModificationState',
    `Volume ${before?.volumeId} cannot be modified in modification state ${state.toUpperCase()}`,
  );
}

function checkChangeRate(recent: readonly VolumeChange['startedAt'][]): void {
  const next = nextChangeAt(recent);
  if (next === undefined) return;
  throw new AwsError(
    'VolumeModificationRateExceeded',
    `You've reached the maximum modification rate per volume limit: four in 24 hours. The next modification is possible at ${new Date(next).toISOString()}.`,
  );
}

function writeChange({ clock }: Pick<Ec2, 'clock'>, change: VolumeChange): VolumeModification {
  const { volumeId, from, to, startedAt } = change;
  return {
    VolumeId: volumeId,
    ...describeChangeProgress(change, clock.now()),
    StartTime: new Date(startedAt),
    TargetSize: to.sizeGib,
    TargetVolumeType: to.type as VolumeType,
    ...(to.iops !== undefined && { TargetIops: to.iops }),
    ...(to.throughput !== undefined && { TargetThroughput: to.throughput }),
    TargetMultiAttachEnabled: false,
    OriginalSize: from.sizeGib,
    OriginalVolumeType: from.type as VolumeType,
    ...(from.iops !== undefined && { OriginalIops: from.iops }),
    ...(from.throughput !== undefined && { OriginalThroughput: from.throughput }),
    OriginalMultiAttachEnabled: false,
  };
}

/** Tells the last change of each volume that had one. */
export function describeVolumesModifications(
  ec2: Ec2,
  request: DescribeVolumesModificationsRequest,
): DescribeVolumesModificationsResult {
  const { VolumeIds: ids = [] } = request;
  const { changes } = ec2.volumes;
  for (const id of ids) if (!changes.has(id)) throw noSuchChange(ec2, id);
  const asked = [...changes.values()].filter(({ volumeId }) => ids.length === 0 || ids.includes(volumeId));
  const written = asked.map((change) => writeChange(ec2, change));
  const found = applyFilters(written, request.Filters, filterableChange);
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { VolumesModifications: [...items], ...(next && { NextToken: next }) };
}

/** @throws AwsError when there is no such volume at all */
function noSuchChange(ec2: Ec2, id: string): AwsError {
  findVolume(ec2, id);
  return new AwsError('InvalidVolumeModification.NotFound', `Modification for volume '${id}' does not exist.`);
}

const filterableChange: Filterable<VolumeModification> = {
  records: {
    write: (change) => change,
    paths: parseRecordPaths(`
  modification-state ModificationState
  original-iops OriginalIops
  original-size OriginalSize
  original-volume-type OriginalVolumeType
  original-multi-attach-enabled OriginalMultiAttachEnabled
  start-time StartTime
  target-iops TargetIops
  target-size TargetSize
  target-volume-type TargetVolumeType
  target-multi-attach-enabled TargetMultiAttachEnabled
  volume-id VolumeId
`),
  },
  attributes: {},
};
