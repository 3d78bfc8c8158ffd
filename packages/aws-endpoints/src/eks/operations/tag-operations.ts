import type {
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  TagResourceRequest,
  UntagResourceRequest,
} from '@aws-sdk/client-eks';
import { AwsError } from '../../codec/aws-error.ts';
import { addonArn } from './addons/on-the-wire.ts';
import { findTaggedProfile, keepProfile } from './fargate/profile-operations.ts';
import { clusterArn } from './clusters/on-the-wire.ts';
import type { Eks } from '../model.ts';

type EksTags = Readonly<Record<string, string>>;

/** Something that carries tags, found by its ARN. */
type TaggedEksResource = { readonly tags: EksTags; keep(tags: EksTags): void };

function findTagged(eks: Eks, arn = ''): TaggedEksResource {
  const { addons, clusters } = eks;
  const cluster = clusters.all().find(({ name }) => clusterArn(eks, name) === arn);
  if (cluster !== undefined) {
    return { tags: cluster.tags, keep: (tags) => void clusters.keep({ ...cluster, tags }) };
  }
  const nodegroup = findTaggedNodegroup(eks, arn);
  if (nodegroup !== undefined) return nodegroup;
  const addon = clusters
    .all()
    .flatMap(({ name }) => addons.listOf(name))
    .find((each) => addonArn(eks, each) === arn);
  if (addon !== undefined) return { tags: addon.tags, keep: (tags) => void addons.keep({ ...addon, tags }) };
  const profile = findTaggedProfile(eks, arn);
  if (profile !== undefined) return { tags: profile.tags, keep: (tags) => void keepProfile(eks, { ...profile, tags }) };
  throw new AwsError('NotFoundException', `The resource ${arn} does not exist`, { status: 404 });
}

/** The ARN of a node group names its cluster: `.../nodegroup/CLUSTER/NAME/UUID`. */
function findTaggedNodegroup(eks: Eks, arn: string): TaggedEksResource | undefined {
  const [, clusterName = '', name = ''] = arn.split('/');
  if (eks.clusters.find(clusterName) === undefined) return undefined;
  const nodeGroups = eks.groupsOf(clusterName);
  const group = nodeGroups.find(name);
  if (group?.arn !== arn) return undefined;
  return { tags: group.tags, keep: (tags) => void nodeGroups.keep({ ...group, tags }) };
}

const mostResourceTags = 50;

export function tagResource(eks: Eks, { resourceArn, tags = {} }: TagResourceRequest): object {
  const found = findTagged(eks, resourceArn);
  const all = { ...found.tags, ...tags };
  const count = Object.keys(all).length;
  if (count > mostResourceTags)
    throw new AwsError('BadRequestException', `tags: ${count} in all, ${mostResourceTags} are allowed`);
  found.keep(all);
  return {};
}

export function untagResource(eks: Eks, { resourceArn, tagKeys = [] }: UntagResourceRequest): object {
  const found = findTagged(eks, resourceArn);
  found.keep(Object.fromEntries(Object.entries(found.tags).filter(([key]) => !tagKeys.includes(key))));
  return {};
}

export const listTags = (eks: Eks, { resourceArn }: ListTagsForResourceRequest): ListTagsForResourceResponse => ({
  tags: { ...findTagged(eks, resourceArn).tags },
});
