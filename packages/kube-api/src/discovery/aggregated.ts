import type { ApiGroup, ServedResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ServedSubresource } from '../resources/served-kind.ts';

type DiscoveryDocument = Readonly<Record<string, unknown>>;

/** The media type of the single document that lists every resource. */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Discovery in one document: of the core group at `/api`, of all others at `/apis`. */
export function aggregatedDiscovery(registry: ServedResources, part: 'core' | 'named'): DiscoveryDocument {
  const groups = registry.groups().filter(({ name }) => (name === '') === (part === 'core'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => aggregatedGroup(registry, group)),
  };
}

const aggregatedGroup = (registry: ServedResources, { name, versions }: ApiGroup): DiscoveryDocument => ({
  metadata: name === '' ? {} : { name },
  versions: versions.map((version) => ({
    version,
    resources: registry
      .resources()
      .filter((resource) => resource.group === name && resource.version === version)
      .map(aggregatedResource),
    freshness: 'Current',
  })),
});

const aggregatedResource = (resource: Resource): DiscoveryDocument => ({
  resource: resource.plural,
  responseKind: responseKind(resource, resource.kind),
  scope: resource.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: resource.singular,
  verbs: resource.verbs,
  ...(resource.shortNames && { shortNames: resource.shortNames }),
  ...(resource.categories && { categories: resource.categories }),
  ...((resource.subresources ?? []).length > 0 && {
    subresources: (resource.subresources ?? []).map((subresource) => aggregatedSubresource(resource, subresource)),
  }),
});

/** Built-in kinds leave their own group and version out. */
const responseKind = ({ custom, group, version }: Resource, kind: string): DiscoveryDocument =>
  custom === undefined ? { group: '', version: '', kind } : { group, version, kind };

const aggregatedSubresource = (
  resource: Resource,
  { name, group, version, kind, verbs }: ServedSubresource,
): DiscoveryDocument => ({
  subresource: name,
  responseKind: group === undefined ? responseKind(resource, kind) : { group, version: version ?? '', kind },
  verbs,
});
