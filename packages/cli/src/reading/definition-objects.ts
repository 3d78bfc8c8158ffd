import type { KubernetesObject, ResourceType, StructuralSchema } from '@nodewright/apis';

/** A CustomResourceDefinition, as far as commands look at it. */
export type DefinitionObject = KubernetesObject & {
  readonly spec?: {
    readonly versions?: readonly {
      readonly name: string;
      readonly served?: boolean;
      readonly storage?: boolean;
      readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
    }[];
    readonly conversion?: { readonly strategy?: string };
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
};

export const definitionObjects: ResourceType<DefinitionObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
