import type { DescribeImagesRequest, Filter } from '@aws-sdk/client-ec2';
import type { AmiSelectorTerm } from '@nodewright/apis';
import { tagFilters } from '../filters.ts';

/** `undefined` for terms that name their images by id, parameter or alias. */
export function buildImageRequest({ name, owner, tags }: AmiSelectorTerm): DescribeImagesRequest | undefined {
  const filters: Filter[] = [...(name === undefined ? [] : [{ Name: 'name', Values: [name] }]), ...tagFilters(tags)];
  if (filters.length === 0) return undefined;
  const owners = ownersForName(name, owner);
  return { ...commonTo(filters), ...(owners === undefined ? {} : { Owners: owners }) };
}

/** EC2 takes 200 values in all filters of a call together, and the state is one of them. */
const mostIds = 199;

/** One query for all, as long as they are not too many. */
export const imagesById = (ids: readonly string[]): readonly DescribeImagesRequest[] =>
  Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) =>
    commonTo([{ Name: 'image-id', Values: ids.slice(at * mostIds, (at + 1) * mostIds) }]),
  );

/** Every release of a line of images, by what they are named. */
export const imagesNamed = ({
  name,
  owner,
}: {
  readonly name: string;
  readonly owner: string;
}): DescribeImagesRequest => ({
  ...commonTo([{ Name: 'name', Values: [name] }]),
  Owners: [owner],
});

const commonTo = (filters: readonly Filter[]): DescribeImagesRequest => ({
  Filters: [...filters, { Name: 'state', Values: ['available'] }],
  IncludeDeprecated: true,
  MaxResults: 1000,
});

/** A wildcard in a name must never match the public image of an unrelated account. */
function ownersForName(name: string | undefined, owner: string | undefined): string[] | undefined {
  if (owner !== undefined) return [owner];
  return name === undefined ? undefined : ['self', 'amazon'];
}
