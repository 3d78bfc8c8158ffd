import type { DescribeSnapshotsRequest, DescribeSnapshotsResult, Snapshot } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { type Ec2Image, listImageDisks } from './images.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';

/** Lists the snapshots that images are made of. */
export function describeSnapshots(ec2: Ec2, request: DescribeSnapshotsRequest): DescribeSnapshotsResult {
  const { SnapshotIds: ids = [], OwnerIds: owners = [] } = request;
  const snapshots = ec2.images.at(ec2.clock.now()).flatMap((image) => listSnapshots(ec2, image));
  const missing = ids.find((id) => !snapshots.some(({ SnapshotId }) => SnapshotId === id));
  if (missing !== undefined)
    throw new AwsError('InvalidSnapshot.NotFound', `The snapshot '${missing}' does not exist.`);
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

const listSnapshots = ({ tags }: Ec2, image: Ec2Image): readonly Snapshot[] =>
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
