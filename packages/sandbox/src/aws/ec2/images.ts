import type { Image as WireImage } from '@aws-sdk/client-ec2';
import { fromTimestamp, type Instant } from '@nodewright/apis';
import type { Release } from '../../releases/release.ts';
import type { ReleaseStore } from '../../releases/release-store.ts';
import { malformedImageId, noSuchImage } from './errors.ts';
import { tagList, type TagBook } from './tags.ts';

/** An image that instances can be launched from: what EC2 knows of a published release. */
export type Image = { readonly id: string; readonly release: Release; readonly ownerId: string };

/** Whose images EKS and Bottlerocket publish; both go by the alias `amazon`. */
const owners: Partial<Record<Release['family'], string>> = { Bottlerocket: '092701018921', Ubuntu: '099720109477' };
const eksOwner = '602401143452';

/** Two years after it was made, unless somebody deprecates it before. */
const deprecatedAfterYears = 2;

/** Images the account can see: those of releases published and not withdrawn. */
export class Images {
  readonly #releases: ReleaseStore;

  constructor(releases: ReleaseStore) {
    this.#releases = releases;
  }

  at(now: Instant): readonly Image[] {
    return this.#releases.visibleAt(now).map((release) => ({
      id: release.imageId,
      release,
      ownerId: owners[release.family] ?? eksOwner,
    }));
  }

  /** @throws AwsError when no such image can be seen */
  find(id: string, now: Instant): Image {
    if (!/^ami-[0-9a-f]{8,17}$/.test(id)) throw malformedImageId(id);
    const found = this.at(now).find((image) => image.id === id);
    if (found === undefined) throw noSuchImage(id);
    return found;
  }
}

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
export const dataDevice = ({ release }: Image): string =>
  release.family === 'Bottlerocket' ? '/dev/xvdb' : '/dev/xvda';

export const rootDevice = '/dev/xvda';

const defaultVolumesGib = (image: Image): Readonly<Record<string, number>> =>
  image.release.family === 'Bottlerocket' ? { [rootDevice]: 2, '/dev/xvdb': 20 } : { [rootDevice]: 20 };

export const volumeGib = (image: Image, device: string): number => defaultVolumesGib(image)[device] ?? 20;

export const imageOnTheWire = (image: Image, tags: TagBook): WireImage => ({
  ImageId: image.id,
  Name: image.release.name,
  Description: `${image.release.osImage}, Kubernetes ${image.release.kubernetesVersion}`,
  ImageLocation: `amazon/${image.release.name}`,
  ImageOwnerAlias: 'amazon',
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
  RootDeviceName: rootDevice,
  EnaSupport: true,
  PlatformDetails: 'Linux/UNIX',
  BlockDeviceMappings: Object.entries(defaultVolumesGib(image)).map(([DeviceName, VolumeSize]) => ({
    DeviceName,
    Ebs: { VolumeSize, VolumeType: 'gp2', DeleteOnTermination: true, Encrypted: false },
  })),
  Tags: tagList(tags.of(image.id)),
});
