import { type NodeGroup, nodeGroups, byTextOf } from '@nodewright/apis';
import type { ManagedGroup } from '@nodewright/ports';
import { ApiError } from '@nodewright/runtime';
import { InputError } from '../../terminal/exit-status.ts';
import type { ReadableWorld } from '../../reading/read-world.ts';

/** What it takes to find a group: the cluster's NodeGroups, and what AWS has. */
export type GroupSources = Pick<ReadableWorld, 'client' | 'cloud'>;

/** Stored ones, by name; none where the definition is not installed. */
export async function storedGroups({ client }: GroupSources): Promise<readonly NodeGroup[]> {
  try {
    return (await client.list(nodeGroups)).items.toSorted(byTextOf(({ metadata }) => metadata.name));
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 404) return [];
    throw failure;
  }
}

export const groupNameOf = ({ spec }: NodeGroup): string => spec.eks?.name ?? spec.autoScalingGroup?.name ?? '';

/** The NodeGroup of that name, else the one about the group of that name. */
export async function storedGroup(world: GroupSources, name: string): Promise<NodeGroup | undefined> {
  const all = await storedGroups(world);
  return all.find(({ metadata }) => metadata.name === name) ?? all.find((each) => groupNameOf(each) === name);
}

export async function needStoredGroup(world: GroupSources, name: string): Promise<NodeGroup> {
  const found = await storedGroup(world, name);
  if (found !== undefined) return found;
  throw new InputError(
    `there is no NodeGroup "${name}"; \`nodewright nodegroup list\` shows all groups, \`nodewright nodegroup plan ${name}\` works without one`,
  );
}

/**
 * The stored NodeGroup, or one that could be stored for the group of that name: updated on request only.
 * @throws InputError when there is neither, or it is not known which image the group should get
 */
export async function namedGroup(world: GroupSources, name: string, image?: string): Promise<NodeGroup> {
  const stored = await storedGroup(world, name);
  if (stored !== undefined && image !== undefined) {
    throw new InputError(`--image: NodeGroup ${stored.metadata.name} names its image; change spec.image there`);
  }
  return stored ?? newNodeGroup(world, name, image);
}

async function newNodeGroup({ cloud }: GroupSources, name: string, image: string | undefined): Promise<NodeGroup> {
  const { signal } = new AbortController();
  const managed = await cloud.managedGroups.describe(name, signal);
  if (managed !== undefined) return groupFor(name, { eks: { name } }, termOf(image ?? ownAlias(managed)));
  const scaling = await cloud.scalingGroups.describe(name, signal);
  if (scaling === undefined) {
    throw new InputError(`there is no NodeGroup, managed node group or Auto Scaling group "${name}"`);
  }
  if (image === undefined) {
    throw new InputError(`--image: say which image ${name} is to get, such as al2023@latest or ami-0123456789abcdef0`);
  }
  return groupFor(name, { autoScalingGroup: { name } }, termOf(image));
}

function ownAlias({ name, imageKind }: ManagedGroup): string {
  if (imageKind !== undefined) return `${imageKind.family}@latest`;
  throw new InputError(`--image: the launch template of ${name} names its image; say which one it is to get`);
}

type ImageTerm = NonNullable<NodeGroup['spec']['image']>['amiSelectorTerms'][number];

const termOf = (image: string): ImageTerm => (image.startsWith('ami-') ? { id: image } : { alias: image });

const groupFor = (
  name: string,
  group: Pick<NodeGroup['spec'], 'eks' | 'autoScalingGroup'>,
  term: ImageTerm,
): NodeGroup => ({
  apiVersion: 'nodewright.dev/v1alpha1',
  kind: 'NodeGroup',
  metadata: { name: toObjectName(name) },
  spec: { ...group, image: { amiSelectorTerms: [term] }, update: { mode: 'OnRequest' } },
});

/** Auto Scaling groups may have blanks, capitals and any other sign in their names, an object may not. */
const toObjectName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '');
