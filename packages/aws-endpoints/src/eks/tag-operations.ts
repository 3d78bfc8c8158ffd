import type {
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  TagResourceRequest,
  UntagResourceRequest,
} from '@aws-sdk/client-eks';
import { AwsError } from '../codec/aws-error.ts';
import { clusterArn } from './clusters/on-the-wire.ts';
import type { Eks } from './model.ts';

type Tags = Readonly<Record<string, string>>;

/** Something that carries tags, found by its ARN. */
type Tagged = { readonly tags: Tags; keep(tags: Tags): void };

function tagged(eks: Eks, arn = ''): Tagged {
  const { clusters, nodeGroups } = eks;
  const cluster = clusters.all().find(({ name }) => clusterArn(eks, name) === arn);
  if (cluster !== undefined) {
    return { tags: cluster.tags, keep: (tags) => void clusters.keep({ ...cluster, tags }) };
  }
  const group = nodeGroups.all().find((each) => each.arn === arn);
  if (group !== undefined) return { tags: group.tags, keep: (tags) => void nodeGroups.keep({ ...group, tags }) };
  throw new AwsError('NotFoundException', `The resource ${arn} does not exist`, { status: 404 });
}

const mostTags = 50;

export function tagResource(eks: Eks, { resourceArn, tags = {} }: TagResourceRequest): object {
  const found = tagged(eks, resourceArn);
  const all = { ...found.tags, ...tags };
  const count = Object.keys(all).length;
  if (count > mostTags) throw new AwsError('BadRequestException', `tags: ${count} in all, ${mostTags} are allowed`);
  found.keep(all);
  return {};
}

export function untagResource(eks: Eks, { resourceArn, tagKeys = [] }: UntagResourceRequest): object {
  const found = tagged(eks, resourceArn);
  found.keep(Object.fromEntries(Object.entries(found.tags).filter(([key]) => !tagKeys.includes(key))));
  return {};
}

export const listTags = (eks: Eks, { resourceArn }: ListTagsForResourceRequest): ListTagsForResourceResponse => ({
  tags: { ...tagged(eks, resourceArn).tags },
});
