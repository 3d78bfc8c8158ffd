import type { DescribeImagesRequest, DescribeImagesResult } from '@aws-sdk/client-ec2';
import type { Instant } from '@nodewright/apis';
import { pageOf } from '../paging.ts';
import { badNextToken } from './errors.ts';
import { filtered, type Filterable } from './filters.ts';
import { architectureOf, imageOnTheWire, isDeprecated, rootDevice, type Image } from './images.ts';
import type { Ec2 } from './model.ts';

/** Deprecated images are only shown to those who ask for them, or for the image by its id. */
export function describeImages(ec2: Ec2, request: DescribeImagesRequest): DescribeImagesResult {
  const now = ec2.clock.now();
  const found = filtered(askedFor(ec2, request, now), request.Filters, filterableFor(ec2));
  const sorted = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { items, next } = pageOf(sorted, { size: request.MaxResults, token: request.NextToken, refuse: badNextToken });
  return { Images: items.map((image) => imageOnTheWire(image, ec2.tags)), ...(next && { NextToken: next }) };
}

function askedFor(
  { images }: Ec2,
  { ImageIds: ids, Owners: owners, IncludeDeprecated }: DescribeImagesRequest,
  now: Instant,
) {
  if (ids !== undefined && ids.length > 0) return ids.map((id) => images.find(id, now));
  return images
    .at(now)
    .filter((image) => isOwnedBy(image, owners) && (IncludeDeprecated === true || !isDeprecated(image, now)));
}

/** Every image here is Amazon's: the account has none of its own. */
const isOwnedBy = (image: Image, owners: readonly string[] | undefined): boolean =>
  owners === undefined || owners.length === 0 || owners.includes('amazon') || owners.includes(image.ownerId);

const filterableFor = ({ tags }: Ec2): Filterable<Image> => ({
  attributes: {
    'image-id': ({ id }) => id,
    name: ({ release }) => release.name,
    architecture: architectureOf,
    state: () => 'available',
    'owner-alias': () => 'amazon',
    'owner-id': ({ ownerId }) => ownerId,
    'image-type': () => 'machine',
    'is-public': () => 'true',
    'root-device-name': () => rootDevice,
    'root-device-type': () => 'ebs',
    'virtualization-type': () => 'hvm',
    hypervisor: () => 'xen',
    'creation-date': ({ release }) => new Date(release.createdAt).toISOString(),
  },
  tags: ({ id }) => tags.of(id),
});
