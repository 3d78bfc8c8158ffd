import { createHash } from 'node:crypto';
import type { ApiGroup, ServedResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';

type PlainDiscoveryDocument = Readonly<Record<string, unknown>>;

/** `GET /api`. */
export const apiVersions = (serverAddress: string): PlainDiscoveryDocument => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** `GET /apis`. */
export const groupList = (registry: ServedResources): PlainDiscoveryDocument => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: registry.groups().filter(isNamedGroup).map(groupEntry),
});

const isNamedGroup = ({ name }: ApiGroup): boolean => name !== '';

function groupEntry({ name, versions }: ApiGroup): PlainDiscoveryDocument {
  const entries = versions.map((version) => ({ groupVersion: groupVersion({ group: name, version }), version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

/** `GET /apis/<group>`; undefined for a group that is not served. */
export function groupDocument(registry: ServedResources, name: string): PlainDiscoveryDocument | undefined {
  const group = registry.groups().find((candidate) => candidate.name === name);
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

/** `GET /api/v1` and `GET /apis/<group>/<version>`; undefined for a version that is not served. */
export function resourceList(
  registry: ServedResources,
  group: string,
  version: string,
): PlainDiscoveryDocument | undefined {
  const served = registry.resources().filter((resource) => resource.group === group && resource.version === version);
  if (served.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: groupVersion({ group, version }),
    resources: served.flatMap((resource) => [resourceEntry(resource), ...subresourceEntries(resource)]),
  };
}

const resourceEntry = (resource: Resource): PlainDiscoveryDocument => ({
  name: resource.plural,
  singularName: resource.singular,
  namespaced: resource.namespaced,
  kind: resource.kind,
  verbs: resource.verbs,
  ...(resource.shortNames && { shortNames: resource.shortNames }),
  ...(resource.categories && { categories: resource.categories }),
  ...(resource.verbs.includes('list') &&
    resource.plural !== 'componentstatuses' && { storageVersionHash: storageHash(resource) }),
});

/** A hash of the stored version. Clients notice when it changes. */
function storageHash({ group, version, kind, stored }: Resource): string {
  const type = stored ?? { group, version };
  const digest = createHash('sha256').update(`${type.group}/${type.version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}

const subresourceEntries = (resource: Resource): readonly PlainDiscoveryDocument[] =>
  (resource.subresources ?? []).map(({ name, verbs, kind, group, version }) => ({
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    kind,
    verbs,
  }));
