import { apiVersionOf, karpenterCustomResources, nodewrightCustomResources, type ResourceType } from '@nodewright/apis';
import { servedKinds } from '@nodewright/kube-api';

const customTypes: readonly ResourceType[] = [...karpenterCustomResources, ...nodewrightCustomResources].flatMap(
  ({ crd: { spec } }) =>
    spec.versions.map(({ name }) => ({
      group: spec.group,
      version: name,
      plural: spec.names.plural,
      kind: spec.names.kind,
      namespaced: spec.scope === 'Namespaced',
    })),
);

const builtInTypes: readonly ResourceType[] = servedKinds
  .filter(({ verbs }) => verbs.includes('create') && verbs.includes('list'))
  .map(({ group, version, plural, kind, namespaced }) => ({ group, version, plural, kind, namespaced }));

const typesOfCluster: readonly ResourceType[] = [...customTypes, ...builtInTypes];

/** The type that the embedded cluster serves for a kind; of any version where none is named. */
export const findServedType = (kind: string, apiVersion?: string): ResourceType | undefined =>
  typesOfCluster.find((type) => type.kind === kind && (apiVersion === undefined || apiVersionOf(type) === apiVersion));

/** Every kind that the embedded cluster serves. */
export const listServedKinds = (): readonly string[] => [...new Set(typesOfCluster.map(({ kind }) => kind))];
