import type { DefinitionObject, StructuralSchema } from '@nodewright/apis';

type NetworkKind = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly column?: { readonly name: string; readonly jsonPath: string };
  readonly hasStatus?: true;
  readonly parts: Readonly<Record<string, StructuralSchema>>;
};

const openObjectSchema: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const idListSchema: StructuralSchema = { type: 'array', items: { type: 'string' } };
const stringMapSchema: StructuralSchema = { type: 'object', additionalProperties: { type: 'string' } };

const podSelectorSchema: StructuralSchema = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    matchLabels: stringMapSchema,
    matchExpressions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: { key: { type: 'string' }, operator: { type: 'string' }, values: idListSchema },
      },
    },
  },
};

const nodeFeaturesSchema: StructuralSchema = {
  type: 'array',
  items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
};

const policyReferenceSchema: StructuralSchema = {
  type: 'object',
  required: ['name', 'namespace'],
  properties: { name: { type: 'string' }, namespace: { type: 'string' } },
};

/**
 * What the VPC resource controller and the network add-on of EKS define in every cluster. Clients find the kinds and
 * may write objects; nothing acts on them here.
 * @see https://docs.aws.amazon.com/eks/latest/userguide/security-groups-for-pods.html
 */
export const networkDefinitions: readonly DefinitionObject[] = (
  [
    {
      group: 'vpcresources.k8s.aws',
      version: 'v1alpha1',
      kind: 'CNINode',
      plural: 'cninodes',
      shortNames: ['cnd'],
      scope: 'Cluster',
      column: { name: 'Features', jsonPath: '.spec.features' },
      hasStatus: true,
      parts: {
        spec: { type: 'object', properties: { features: nodeFeaturesSchema, tags: stringMapSchema } },
        status: openObjectSchema,
      },
    },
    {
      group: 'crd.k8s.amazonaws.com',
      version: 'v1alpha1',
      kind: 'ENIConfig',
      plural: 'eniconfigs',
      scope: 'Cluster',
      parts: {
        spec: {
          type: 'object',
          required: ['subnet'],
          properties: { subnet: { type: 'string' }, securityGroups: idListSchema },
        },
        status: openObjectSchema,
      },
    },
    {
      group: 'networking.k8s.aws',
      version: 'v1alpha1',
      kind: 'PolicyEndpoint',
      plural: 'policyendpoints',
      scope: 'Namespaced',
      hasStatus: true,
      parts: {
        spec: { ...openObjectSchema, required: ['policyRef'], properties: { policyRef: policyReferenceSchema } },
        status: openObjectSchema,
      },
    },
    {
      group: 'vpcresources.k8s.aws',
      version: 'v1beta1',
      kind: 'SecurityGroupPolicy',
      plural: 'securitygrouppolicies',
      shortNames: ['sgp'],
      scope: 'Namespaced',
      column: { name: 'Security-Group-Ids', jsonPath: '.spec.securityGroups.groupIds' },
      parts: {
        spec: {
          type: 'object',
          properties: {
            podSelector: podSelectorSchema,
            serviceAccountSelector: podSelectorSchema,
            securityGroups: {
              type: 'object',
              properties: { groupIds: { ...idListSchema, minItems: 1, maxItems: 16 } },
            },
          },
        },
      },
    },
  ] satisfies readonly NetworkKind[]
).map(networkDefinition);

function networkDefinition({
  group,
  version,
  kind,
  plural,
  shortNames,
  scope,
  ...rest
}: NetworkKind): DefinitionObject {
  const { column, hasStatus, parts } = rest;
  const named: StructuralSchema = {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, ...parts },
  };
  const names = {
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    ...(shortNames && { shortNames }),
  };
  const served = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: named },
    ...(column && { additionalPrinterColumns: [{ ...column, type: 'string' }] }),
    ...(hasStatus === true && { subresources: { status: {} } }),
  };
  const spec = { group, names, scope, versions: [served] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec,
  };
}
