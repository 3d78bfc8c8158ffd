import type { DescribeImagesRequest, DescribeImagesResult } from '@aws-sdk/client-ec2';
import { byTextOf, type Instant } from '@nodewright/apis';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { imageArchitecture, imageOnTheWire, isDeprecated, isPublic, isSharedWith, type Ec2Image } from './images.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

/** Deprecated images are listed for their owner, by id, and with `IncludeDeprecated`. */
export function describeImages(ec2: Ec2, request: DescribeImagesRequest): DescribeImagesResult {
  const now = ec2.clock.now();
  const found = applyFilters(listRequestedImages(ec2, request, now), request.Filters, filterableImage(ec2));
  const sorted = found.toSorted(byTextOf(({ id }) => id));
  const { items, next } = takePage(sorted, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { Images: items.map((image) => imageOnTheWire(image, ec2.tags)), ...(next && { NextToken: next }) };
}

function listRequestedImages(
  { images, account }: Ec2,
  { ImageIds: ids, Owners: owners, ExecutableUsers: users, IncludeDeprecated, Filters }: DescribeImagesRequest,
  now: Instant,
): readonly Ec2Image[] {
  const mayLaunch = (image: Ec2Image): boolean =>
    users === undefined || users.length === 0 || users.some((user) => isExecutableBy(image, user, account.id));
  if (ids !== undefined && ids.length > 0) return images.findAll(ids, now).filter(mayLaunch);
  const wanted = filteredIds(Filters);
  return (wanted === undefined ? images.at(now) : images.withIds(wanted, now)).filter(
    (image) =>
      isImageOwnedBy(image, owners) &&
      mayLaunch(image) &&
      (IncludeDeprecated === true || image.isMine === true || !isDeprecated(image, now)),
  );
}

/** The ids that a filter names one by one. */
const filteredIds = (filters: DescribeImagesRequest['Filters']): readonly string[] | undefined =>
  filters?.find(({ Name, Values }) => Name === 'image-id' && Values?.every((value) => !/[*?]/.test(value)))?.Values;

/** Whether an image is public (`all`), shared with the caller (`self`), or one that the caller shares with an account. */
function isExecutableBy(image: Ec2Image, user: string, caller: string): boolean {
  if (user === 'all') return isPublic(image);
  const { own } = image;
  if (own === undefined) return false;
  return user === 'self' ? isSharedWith(own, caller) : image.isMine === true && isSharedWith(own, user);
}

const isImageOwnedBy = ({ ownerId, ownerAlias, isMine }: Ec2Image, owners: readonly string[] | undefined): boolean =>
  owners === undefined ||
  owners.length === 0 ||
  owners.includes(ownerId) ||
  (isMine === true && owners.includes('self')) ||
  (ownerAlias !== undefined && owners.includes(ownerAlias));

const imageRecordPaths = parseRecordPaths(`
  block-device-mapping.delete-on-termination BlockDeviceMappings.Ebs.DeleteOnTermination
  block-device-mapping.device-name BlockDeviceMappings.DeviceName
  block-device-mapping.encrypted BlockDeviceMappings.Ebs.Encrypted
  block-device-mapping.snapshot-id BlockDeviceMappings.Ebs.SnapshotId
  block-device-mapping.volume-size BlockDeviceMappings.Ebs.VolumeSize
  block-device-mapping.volume-type BlockDeviceMappings.Ebs.VolumeType
  boot-mode BootMode
  creation-date CreationDate
  description Description
  ena-support EnaSupport
  free-tier-eligible FreeTierEligible
  hypervisor Hypervisor
  image-allowed ImageAllowed
  image-watermark.source-image-creation-time ImageWatermark.SourceImageCreationTime
  image-watermark.source-image-id ImageWatermark.SourceImageId
  image-watermark.source-image-region ImageWatermark.SourceImageRegion
  image-watermark.watermark-creation-time ImageWatermark.WatermarkCreationTime
  image-watermark.watermark-key ImageWatermark.WatermarkKey
  scan-result.critical-fix-available-since ScanResult.CriticalFixAvailableSince
  scan-result.finding-scan-date ScanResult.FindingScanDate
  scan-result.high-fix-available-since ScanResult.HighFixAvailableSince
  scan-result.highest-finding-severity-label ScanResult.HighestFindingSeverityLabel
  scan-result.informational-fix-available-since ScanResult.InformationalFixAvailableSince
  scan-result.low-fix-available-since ScanResult.LowFixAvailableSince
  scan-result.medium-fix-available-since ScanResult.MediumFixAvailableSince
  image-type ImageType
  instance-type-specification.supported-instance-type InstanceTypeSpecification.SupportedInstanceTypes
  instance-type-specification.unsupported-instance-type InstanceTypeSpecification.UnsupportedInstanceTypes
  is-public Public
  kernel-id KernelId
  manifest-location ImageLocation
  owner-alias ImageOwnerAlias
  platform Platform
  product-code ProductCodes.ProductCodeId
  product-code.type ProductCodes.ProductCodeType
  ramdisk-id RamdiskId
  root-device-name RootDeviceName
  root-device-type RootDeviceType
  source-image-id SourceImageId
  source-image-region SourceImageRegion
  source-instance-id SourceInstanceId
  sriov-net-support SriovNetSupport
  state State
  state-reason-code StateReason.Code
  state-reason-message StateReason.Message
  virtualization-type VirtualizationType
`);

/** What many images are looked through by reads the model. */
const filterableImage = ({ tags }: Ec2): Filterable<Ec2Image> => ({
  records: { write: (image) => imageOnTheWire(image, tags), paths: imageRecordPaths },
  attributes: {
    'image-id': ({ id }) => id,
    name: ({ release }) => release.name,
    architecture: imageArchitecture,
    'owner-id': ({ ownerId }) => ownerId,
    'public-ssm-parameter-name': () => undefined,
  },
  tags: ({ id }) => tags.of(id),
});
