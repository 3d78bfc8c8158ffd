import type { StructuralSchema } from '../schema/structural.ts';
import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { ResourceType } from '../kubernetes/resource-types.ts';

/** A CustomResourceDefinition, as far as it is looked at. */
export type DefinitionObject = KubernetesObject & {
  readonly spec?: {
    readonly versions?: readonly {
      readonly name: string;
      readonly served?: boolean;
      readonly storage?: boolean;
      readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
    }[];
    readonly conversion?: {
      readonly strategy?: string;
      readonly webhook?: {
        readonly clientConfig?: {
          readonly service?: { readonly name?: string; readonly namespace?: string; readonly path?: string };
          readonly caBundle?: string;
        };
      };
    };
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
