import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { StructuralSchema } from './structural.ts';

/** A column of `kubectl get`. Priority 1 shows it with `-o wide` only. */
export type PrinterColumn = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly priority?: number;
};

export type CustomResourceVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  /** Sent with every answer of a deprecated version. */
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources: {
    readonly status: Readonly<Record<string, never>>;
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  };
};

/** A webhook that converts objects between the versions of a kind, behind a Service. */
export type ConversionWebhook = {
  readonly strategy: 'Webhook';
  readonly webhook: {
    readonly clientConfig: {
      readonly service: {
        readonly name: string;
        readonly namespace: string;
        readonly path: string;
        readonly port: number;
      };
    };
    readonly conversionReviewVersions: readonly string[];
  };
};

export type CustomResourceDefinition = KubernetesObject & {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: 'Cluster' | 'Namespaced';
    readonly versions: readonly CustomResourceVersion[];
    readonly conversion?: ConversionWebhook;
  };
};

type DefinedKind = {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  /** [`karpenter`] */
  readonly category?: string;
  readonly versions: readonly CustomResourceVersion[];
};

/** The definition of a cluster-scoped kind. */
export const clusterScopedDefinition = (kind: DefinedKind): CustomResourceDefinition => definition(kind, 'Cluster');

/** The definition of a kind whose objects live in namespaces. */
export const namespacedDefinition = (kind: DefinedKind): CustomResourceDefinition => definition(kind, 'Namespaced');

function definition(
  { group, kind, plural, shortNames, category = 'karpenter', versions }: DefinedKind,
  scope: 'Cluster' | 'Namespaced',
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        categories: [category],
        kind,
        listKind: `${kind}List`,
        plural,
        ...(shortNames === undefined ? {} : { shortNames }),
        singular: kind.toLowerCase(),
      },
      scope,
      versions,
    },
  };
}

/** The schema of a whole object around those of its spec and status. */
export function resourceSchema(parts: {
  readonly description: string;
  readonly spec: StructuralSchema;
  readonly status: StructuralSchema;
  readonly required: readonly ('spec' | 'status')[];
}): StructuralSchema {
  return {
    type: 'object',
    description: parts.description,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: parts.spec,
      status: parts.status,
    },
    ...(parts.required.length === 0 ? {} : { required: parts.required }),
  };
}
