import type { DescribeSnapshotsRequest, DescribeSnapshotsResult, Snapshot } from '@aws-sdk/client-ec2';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { type Ec2Image, listImageDisks } from './images.ts';
import type { Ec2 } from './model.ts';
import { describeSnapshotProgress, noSuchSnapshot, type OwnSnapshot } from './own-snapshots.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';
import { writeVolumeKey } from './volume-encryption.ts';

/** Lists the snapshots of the account, and those that images are made of. */
export function describeSnapshots(ec2: Ec2, request: DescribeSnapshotsRequest): DescribeSnapshotsResult {
  const { SnapshotIds: ids = [], OwnerIds: owners = [] } = request;
  const snapshots = listKnownSnapshots(ec2);
  const missing = ids.find((id) => !snapshots.some(({ SnapshotId }) => SnapshotId === id));
  if (missing !== undefined) throw noSuchSnapshot(missing);
  const asked = snapshots.filter(
    (snapshot) =>
      (ids.length === 0 || ids.includes(snapshot.SnapshotId ?? '')) && isSnapshotOwnedBy(ec2, snapshot, owners),
  );
  const found = applyFilters(asked, request.Filters, filterableSnapshot(ec2));
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { Snapshots: [...items], ...(next && { NextToken: next }) };
}

const isSnapshotOwnedBy = (
  { account }: Ec2,
  { OwnerId = '', OwnerAlias = '' }: Snapshot,
  owners: readonly string[],
): boolean =>
  owners.length === 0 ||
  owners.includes(OwnerId) ||
  owners.includes(OwnerAlias) ||
  (owners.includes('self') && OwnerId === account.id);

/** A snapshot that the account registered an image from is its own, and is listed once. */
const listKnownSnapshots = (ec2: Ec2): readonly Snapshot[] => [
  ...ec2.images
    .at(ec2.clock.now())
    .flatMap((image) => listSnapshotsOfImage(ec2, image))
    .filter(({ SnapshotId = '' }) => ec2.snapshots.find(SnapshotId) === undefined),
  ...ec2.snapshots.all().map((snapshot) => writeOwnSnapshot(ec2, snapshot)),
];

export const writeOwnSnapshot = ({ tags, clock, account }: Ec2, snapshot: OwnSnapshot): Snapshot => ({
  SnapshotId: snapshot.id,
  VolumeId: snapshot.volumeId,
  VolumeSize: snapshot.sizeGib,
  FullSnapshotSizeInBytes: snapshot.sizeGib * 1024 ** 3,
  ...describeSnapshotProgress(snapshot, clock.now()),
  StartTime: new Date(snapshot.startedAt),
  StorageTier: 'standard',
  Encrypted: snapshot.encrypted,
  ...writeVolumeKey(account, snapshot),
  Description: snapshot.description,
  OwnerId: account.id,
  Tags: writeEc2Tags(tags.of(snapshot.id)),
});

const listSnapshotsOfImage = ({ tags }: Ec2, image: Ec2Image): readonly Snapshot[] =>
  listImageDisks(image).map(({ snapshotId, sizeGib }) => ({
    SnapshotId: snapshotId,
    VolumeId: 'vol-ffffffff',
    VolumeSize: sizeGib,
    State: 'completed',
    Progress: '100%',
    StartTime: new Date(image.release.createdAt),
    StorageTier: 'standard',
    Encrypted: false,
    Description: `Created for image ${image.id}`,
    OwnerId: image.ownerId,
    ...(image.ownerAlias !== undefined && { OwnerAlias: image.ownerAlias }),
    Tags: writeEc2Tags(tags.of(snapshotId)),
  }));

const snapshotRecordPaths = parseRecordPaths(`
  description Description
  encrypted Encrypted
  owner-alias OwnerAlias
  owner-id OwnerId
  progress Progress
  snapshot-id SnapshotId
  start-time StartTime
  status State
  storage-tier StorageTier
  transfer-type TransferType
  volume-id VolumeId
  volume-size VolumeSize
`);

const filterableSnapshot = ({ tags }: Ec2): Filterable<Snapshot> => ({
  records: { write: (snapshot) => snapshot, paths: snapshotRecordPaths },
  attributes: {},
  tags: ({ SnapshotId = '' }) => tags.of(SnapshotId),
});
