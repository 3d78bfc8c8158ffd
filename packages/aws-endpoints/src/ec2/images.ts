import type { Image as WireImage } from '@aws-sdk/client-ec2';
import { fromTimestamp, type Instant, oncePerObject, readOwn } from '@nodewright/apis';
import type { ImageRelease } from '../releases/release.ts';
import type { ReleaseStore } from '../releases/release-store.ts';
import { isOut } from '../releases/shelf.ts';
import { familyOfUserData } from '../releases/family-of-user-data.ts';
import { derivedId } from './derived-ids.ts';
import { malformedImageId, noSuchImage } from './errors.ts';
import type { OwnImage, OwnImages } from './own-images.ts';
import { writeEc2Tags, type TagBook } from './tags.ts';

/** An image that instances can be launched from: what EC2 knows of a published release. */
export type Ec2Image = {
  readonly id: string;
  readonly release: ImageRelease;
  readonly ownerId: string;
  /** `amazon` for what Amazon publishes; Canonical goes by its number only. */
  readonly ownerAlias?: string;
  /** What only images have that accounts made. */
  readonly own?: OwnImage;
  /** Whether the account itself made it. */
  readonly isMine?: boolean;
};

/** An image that another account made. */
export type ForeignImage = { readonly ownerId: string; readonly image: OwnImage };

const eksOwner = '602401143452';
const bottlerocketOwner = '092701018921';
const windowsOwner = '801119661308';
const canonicalAccountId = '099720109477';
const plainAmazonLinuxOwner = '137112412989';

const imageOwners: Readonly<Record<ImageRelease['family'], string>> = {
  AL2: eksOwner,
  AL2023: eksOwner,
  AmazonLinux: plainAmazonLinuxOwner,
  Bottlerocket: bottlerocketOwner,
  Ubuntu: canonicalAccountId,
  Windows2019: windowsOwner,
  Windows2022: windowsOwner,
  Windows2025: windowsOwner,
};

/** An image is deprecated two years after its creation, unless its owner deprecates it before. */
const deprecatedAfterYears = 2;

type ImagesOptions = {
  readonly releases: ReleaseStore;
  readonly own: OwnImages;
  readonly accountId: string;
  readonly imagesOfOthers: () => readonly ForeignImage[];
  /** The control plane's minor. Own images are built for it. */
  readonly minor: () => string;
};

/** Images the account can see: those of releases published and not withdrawn, and its own. */
export class ImageModel {
  readonly #options: ImagesOptions;

  constructor(options: ImagesOptions) {
    this.#options = options;
  }

  get own(): OwnImages {
    return this.#options.own;
  }

  at(now: Instant): readonly Ec2Image[] {
    const { releases, own } = this.#options;
    return [
      ...releases.visibleAt(now).map(buildReleaseImage),
      ...own.all().map((image) => this.#ownImage(image)),
      ...this.#sharedImages(),
    ];
  }

  /** Those of the ids that can be seen, without a look at all the others. */
  withIds(ids: readonly string[], now: Instant): readonly Ec2Image[] {
    const { releases, own } = this.#options;
    return [...new Set(ids)].flatMap((id) => {
      const mine = own.get(id);
      if (mine !== undefined) return mine.isDeregistered ? [] : [this.#ownImage(mine)];
      const shared = this.#sharedImages().find((image) => image.id === id);
      if (shared !== undefined) return [shared];
      const release = releases.byImage(id);
      return release !== undefined && isOut(release, now) ? [buildReleaseImage(release)] : [];
    });
  }

  /** @throws AwsError when no such image can be seen */
  find(id: string, now: Instant): Ec2Image {
    checkImageId(id);
    const [found] = this.withIds([id], now);
    if (found === undefined) throw noSuchImage(id);
    return found;
  }

  /** Finds images, each once. @throws AwsError naming all that cannot be seen */
  findAll(ids: readonly string[], now: Instant): readonly Ec2Image[] {
    for (const id of ids) checkImageId(id);
    const found = this.withIds(ids, now);
    const missing = [...new Set(ids)].filter((id) => !found.some((image) => image.id === id));
    if (missing.length > 0) throw noSuchImage(...missing);
    return found;
  }

  /**
   * What a copy of an image is made of.
   * @throws AwsError when no such image can be seen
   */
  sourceOf(id: string, now: Instant): Pick<OwnImage, 'arch' | 'base'> {
    const { own, release } = this.find(id, now);
    if (own === undefined) return { arch: release.arch, base: release };
    return { arch: own.arch, ...(own.base && { base: own.base }) };
  }

  /** The build that instances of an image run, whether or not it can still be seen. */
  buildOf(id: string, userData: string): ImageRelease | undefined {
    const own = this.own.get(id) ?? this.#options.imagesOfOthers().find(({ image }) => image.id === id)?.image;
    return own === undefined ? this.#options.releases.byImage(id) : this.#ownRelease(own, familyOfUserData(userData));
  }

  #ownImage(own: OwnImage): Ec2Image {
    return {
      id: own.id,
      release: this.#ownRelease(own, 'AL2023'),
      ownerId: this.#options.accountId,
      own,
      isMine: true,
    };
  }

  /** Those of other accounts that the account may launch. */
  #sharedImages(): readonly Ec2Image[] {
    return this.#options
      .imagesOfOthers()
      .filter(({ image }) => !image.isDeregistered && (image.isPublic || isSharedWith(image, this.#options.accountId)))
      .map(({ ownerId, image }) => ({ id: image.id, release: this.#ownRelease(image, 'AL2023'), ownerId, own: image }));
  }

  /** As the newest build that it could have been made of, where that is not known. */
  #ownRelease(own: OwnImage, family: ImageRelease['family']): ImageRelease {
    const { id: imageId, name, createdAt, arch } = own;
    const { behavior: _, ...base } = own.base ?? this.#newest(family, own) ?? { ...plainRelease, family };
    const behavior = own.base?.behavior;
    return { ...base, arch, imageId, name, createdAt, publishedAt: createdAt, ...(behavior && { behavior }) };
  }

  #newest(family: ImageRelease['family'], { arch, createdAt }: OwnImage): ImageRelease | undefined {
    const { releases, minor } = this.#options;
    return releases
      .visibleOf(minor(), fromTimestamp(createdAt))
      .find((release) => release.family === family && release.variant === 'standard' && release.arch === arch);
  }
}

export const isSharedWith = ({ sharedWith = [] }: OwnImage, accountId: string): boolean =>
  sharedWith.includes(accountId);

function checkImageId(id: string): void {
  if (!/^ami-[0-9a-f]{8,17}$/.test(id)) throw malformedImageId(id);
}

/** The same image for the same release, so that what follows from an image is worked out once. */
const buildReleaseImage = oncePerObject((release: ImageRelease): Ec2Image => {
  const ownerId = imageOwners[release.family];
  return { id: release.imageId, release, ownerId, ...(ownerId !== canonicalAccountId && { ownerAlias: 'amazon' }) };
});

/** Where nothing was published at all. */
const plainRelease: ImageRelease = {
  family: 'AL2023',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '',
  version: 'v0',
  imageId: '',
  name: '',
  createdAt: '',
  publishedAt: '',
  kubeletVersion: 'unknown',
  osImage: 'Amazon Linux 2023',
  kernelVersion: 'unknown',
  containerRuntimeVersion: 'containerd://1.7.27',
};

function deprecationTime({ release, own }: Ec2Image): string | undefined {
  if (own !== undefined) return own.deprecatedAt;
  if (release.deprecatedAt !== undefined) return release.deprecatedAt;
  const created = new Date(release.createdAt);
  created.setUTCFullYear(created.getUTCFullYear() + deprecatedAfterYears);
  return created.toISOString();
}

export const isDeprecated = (image: Ec2Image, now: Instant): boolean => deprecationInstant(image) <= now;

const deprecationInstant = oncePerObject((image: Ec2Image): number => {
  const time = deprecationTime(image);
  return time === undefined ? Infinity : fromTimestamp(time);
});

export const imageArchitecture = ({ release }: Ec2Image): 'x86_64' | 'arm64' =>
  release.arch === 'amd64' ? 'x86_64' : 'arm64';

/** Bottlerocket keeps its system and its containers' data on two volumes. */
export const dataDevice = ({ release }: Ec2Image): string => dataDeviceOf(release.family);

export const dataDeviceOf = (family: ImageRelease['family']): string =>
  family === 'Bottlerocket' ? '/dev/xvdb' : rootDeviceOfFamily(family);

export const rootDeviceOf = ({ release }: Ec2Image): string => rootDeviceOfFamily(release.family);

const rootDeviceOfFamily = (family: ImageRelease['family']): string => (isXvda(family) ? '/dev/xvda' : '/dev/sda1');

const isXvda = (family: ImageRelease['family']): boolean => family !== 'Ubuntu' && !isWindowsImageFamily(family);
const isWindowsImageFamily = (family: ImageRelease['family']): boolean => family.startsWith('Windows');

const defaultVolumesGib = (image: Ec2Image): Readonly<Record<string, number>> => {
  const root = rootDeviceOf(image);
  if (image.release.family === 'Bottlerocket') return { [root]: 2, '/dev/xvdb': 20 };
  return { [root]: isWindowsImageFamily(image.release.family) ? 50 : 20 };
};

export const volumeGib = (image: Ec2Image, device: string): number => readOwn(defaultVolumesGib(image), device) ?? 20;

/** The volumes that an image brings along. */
export const listImageDisks = (image: Ec2Image) =>
  Object.entries(defaultVolumesGib(image)).map(([device, sizeGib]) => {
    const root = device === rootDeviceOf(image) ? image.own?.rootSnapshot : undefined;
    return {
      device,
      sizeGib: root?.sizeGib ?? sizeGib,
      type: 'gp2',
      encrypted: root?.encrypted ?? false,
      deleteOnTermination: true,
      snapshotId: root?.id ?? derivedId('snap', image.id, device),
    };
  });

export const imageOnTheWire = (image: Ec2Image, tags: TagBook): WireImage => ({
  ...untaggedOnTheWire(image),
  Tags: writeEc2Tags(tags.of(image.id)),
});

const untaggedOnTheWire = oncePerObject((image: Ec2Image): WireImage => ({
  ...deprecationOnTheWire(image),
  ImageId: image.id,
  Name: image.release.name,
  Description: describeImage(image),
  ImageLocation: `${image.ownerAlias ?? image.ownerId}/${image.release.name}`,
  ...(image.ownerAlias !== undefined && { ImageOwnerAlias: image.ownerAlias }),
  OwnerId: image.ownerId,
  Architecture: imageArchitecture(image),
  CreationDate: new Date(image.release.createdAt).toISOString(),
  State: 'available',
  Public: isPublic(image),
  ImageType: 'machine',
  Hypervisor: 'xen',
  VirtualizationType: 'hvm',
  RootDeviceType: 'ebs',
  RootDeviceName: rootDeviceOf(image),
  EnaSupport: true,
  ...(isWindowsImageFamily(image.release.family) && { Platform: 'windows' as 'Windows' }),
  PlatformDetails: isWindowsImageFamily(image.release.family) ? 'Windows' : 'Linux/UNIX',
  BlockDeviceMappings: listImageDisks(image).map(({ device, sizeGib, snapshotId, type, encrypted }) => ({
    DeviceName: device,
    Ebs: {
      DeleteOnTermination: true,
      SnapshotId: snapshotId,
      VolumeSize: sizeGib,
      VolumeType: type as 'gp2',
      Encrypted: encrypted,
    },
  })),
  UsageOperation: isWindowsImageFamily(image.release.family) ? 'RunInstances:0002' : 'RunInstances',
  ...(image.own?.sourceInstanceId !== undefined && { SourceInstanceId: image.own.sourceInstanceId }),
  ProductCodes: [],
  FreeTierEligible: true,
  SriovNetSupport: 'simple',
  ...(image.release.family === 'AL2023' && { ImdsSupport: 'v2.0' as const, BootMode: 'uefi-preferred' as const }),
}));

function deprecationOnTheWire(image: Ec2Image): Pick<WireImage, 'DeprecationTime'> {
  const time = deprecationTime(image);
  return time === undefined ? {} : { DeprecationTime: new Date(time).toISOString() };
}

export const isPublic = ({ own }: Ec2Image): boolean => own?.isPublic ?? true;

const describeImage = ({ own, release }: Ec2Image): string =>
  own === undefined ? `${release.osImage}, Kubernetes ${release.kubernetesVersion}` : (own.description ?? '');
