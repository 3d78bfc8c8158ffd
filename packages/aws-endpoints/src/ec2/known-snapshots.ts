import type { Instant } from '@nodewright/apis';
import { type Ec2Image, type ImageModel, listImageDisks } from './images.ts';
import { noSuchSnapshot, type OwnSnapshots } from './own-snapshots.ts';
import type { VolumeEncryption } from './volume-encryption.ts';

/** A snapshot that the account may use: its own, or one that an image is made of. */
export type KnownSnapshot = VolumeEncryption & { readonly id: string; readonly sizeGib: number };

type KnownSnapshotSources = { readonly images: ImageModel; readonly snapshots: OwnSnapshots };

/** @throws AwsError when there is no such snapshot */
export function findSnapshot({ images, snapshots }: KnownSnapshotSources, id: string, now: Instant): KnownSnapshot {
  const own = snapshots.find(id);
  if (own !== undefined) return own;
  const disk = images
    .at(now)
    .flatMap((image) => listImageDisks(image))
    .find(({ snapshotId }) => snapshotId === id);
  if (disk === undefined) throw noSuchSnapshot(id);
  return { id, sizeGib: disk.sizeGib, encrypted: disk.encrypted };
}

/** The image that is made of a snapshot, which keeps the snapshot from being deleted. */
export const findImageOfSnapshot = (images: ImageModel, id: string, now: Instant): Ec2Image | undefined =>
  images.at(now).find((image) => listImageDisks(image).some(({ snapshotId }) => snapshotId === id));
