import type { Condition, KubernetesObject, ResourceType } from '@nodewright/apis';

/** A CustomResourceDefinition, as far as it says which kind it defines. */
export type KindDefinition = KubernetesObject & {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
};

export const kindDefinitions: ResourceType<KindDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** The kind of a definition, in one of the versions that are served; `undefined` while none is. */
export function definedKind({ spec, status }: KindDefinition): ResourceType | undefined {
  const served = spec.versions.find((version) => version.served);
  const isEstablished = status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True');
  if (served === undefined || isEstablished !== true) return undefined;
  const { plural, kind } = spec.names;
  return { group: spec.group, version: served.name, plural, kind, namespaced: spec.scope === 'Namespaced' };
}
