import type { Image as WireImage } from '@aws-sdk/client-ec2';
import { fromTimestamp, type Instant } from '@nodewright/apis';
import type { Release } from '../../releases/release.ts';
import type { ReleaseStore } from '../../releases/release-store.ts';
import { isOut } from '../../releases/shelf.ts';
import { malformedImageId, noSuchImage } from './errors.ts';
import { tagList, type TagBook } from './tags.ts';

/** An image that instances can be launched from: what EC2 knows of a published release. */
export type Image = {
  readonly id: string;
  readonly release: Release;
  readonly ownerId: string;
  /** `amazon` for what Amazon publishes; Canonical goes by its number only. */
  readonly ownerAlias?: string;
};

const eksOwner = '602401143452';
const bottlerocketOwner = '092701018921';
const windowsOwner = '801119661308';
const canonical = '099720109477';
const plainAmazonLinuxOwner = '137112412989';

const owners: Readonly<Record<Release['family'], string>> = {
  AL2: eksOwner,
  AL2023: eksOwner,
  AmazonLinux: plainAmazonLinuxOwner,
  Bottlerocket: bottlerocketOwner,
  Ubuntu: canonical,
  Windows2019: windowsOwner,
  Windows2022: windowsOwner,
  Windows2025: windowsOwner,
};

/** Two years after it was made, unless somebody deprecates it before. */
const deprecatedAfterYears = 2;

/** Images the account can see: those of releases published and not withdrawn. */
export class Images {
  readonly #releases: ReleaseStore;

  constructor(releases: ReleaseStore) {
    this.#releases = releases;
  }

  at(now: Instant): readonly Image[] {
    return this.#releases.visibleAt(now).map(imageOf);
  }

  /** Those of the ids that can be seen, without a look at all the others. */
  withIds(ids: readonly string[], now: Instant): readonly Image[] {
    return [...new Set(ids)].flatMap((id) => {
      const release = this.#releases.byImage(id);
      return release !== undefined && isOut(release, now) ? [imageOf(release)] : [];
    });
  }

  /** @throws AwsError when no such image can be seen */
  find(id: string, now: Instant): Image {
    if (!/^ami-[0-9a-f]{8,17}$/.test(id)) throw malformedImageId(id);
    const [found] = this.withIds([id], now);
    if (found === undefined) throw noSuchImage(id);
    return found;
  }
}

const imageOf = (release: Release): Image => {
  const ownerId = owners[release.family];
  return { id: release.imageId, release, ownerId, ...(ownerId !== canonical && { ownerAlias: 'amazon' }) };
};

const deprecationTime = ({ release }: Image): string => {
  if (release.deprecatedAt !== undefined) return release.deprecatedAt;
  const created = new Date(release.createdAt);
  created.setUTCFullYear(created.getUTCFullYear() + deprecatedAfterYears);
  return created.toISOString();
};

export const isDeprecated = (image: Image, now: Instant): boolean => fromTimestamp(deprecationTime(image)) <= now;

export const architectureOf = ({ release }: Image): 'x86_64' | 'arm64' =>
  release.arch === 'amd64' ? 'x86_64' : 'arm64';

/** Bottlerocket keeps its system and its containers' data on two volumes. */
export const dataDevice = (image: Image): string =>
  image.release.family === 'Bottlerocket' ? '/dev/xvdb' : rootDeviceOf(image);

export const rootDeviceOf = (image: Image): string => (isXvda(image.release) ? '/dev/xvda' : '/dev/sda1');

const isXvda = ({ family }: Release): boolean => family !== 'Ubuntu' && !isWindows(family);
const isWindows = (family: Release['family']): boolean => family.startsWith('Windows');

const defaultVolumesGib = (image: Image): Readonly<Record<string, number>> => {
  const root = rootDeviceOf(image);
  if (image.release.family === 'Bottlerocket') return { [root]: 2, '/dev/xvdb': 20 };
  return { [root]: isWindows(image.release.family) ? 50 : 20 };
};

export const volumeGib = (image: Image, device: string): number => defaultVolumesGib(image)[device] ?? 20;

export const imageOnTheWire = (image: Image, tags: TagBook): WireImage => ({
  ImageId: image.id,
  Name: image.release.name,
  Description: `${image.release.osImage}, Kubernetes ${image.release.kubernetesVersion}`,
  ImageLocation: `${image.ownerAlias ?? image.ownerId}/${image.release.name}`,
  ...(image.ownerAlias !== undefined && { ImageOwnerAlias: image.ownerAlias }),
  OwnerId: image.ownerId,
  Architecture: architectureOf(image),
  CreationDate: new Date(image.release.createdAt).toISOString(),
  DeprecationTime: new Date(deprecationTime(image)).toISOString(),
  State: 'available',
  Public: true,
  ImageType: 'machine',
  Hypervisor: 'xen',
  VirtualizationType: 'hvm',
  RootDeviceType: 'ebs',
  RootDeviceName: rootDeviceOf(image),
  EnaSupport: true,
  ...(isWindows(image.release.family) && { Platform: 'Windows' as const }),
  PlatformDetails: isWindows(image.release.family) ? 'Windows' : 'Linux/UNIX',
  BlockDeviceMappings: Object.entries(defaultVolumesGib(image)).map(([DeviceName, VolumeSize]) => ({
    DeviceName,
    Ebs: { VolumeSize, VolumeType: 'gp2', DeleteOnTermination: true, Encrypted: false },
  })),
  Tags: tagList(tags.of(image.id)),
});
