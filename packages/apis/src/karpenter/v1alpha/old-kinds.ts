import { clusterScoped } from '../../kubernetes/resource-types.ts';
import { object, openMap, text } from '../../schema/build.ts';
import {
  clusterScopedDefinition,
  type CustomResourceDefinition,
  type CustomResourceVersion,
  resourceSchema,
} from '../../schema/custom-resource-definition.ts';
import type { StructuralSchema } from '../../schema/structural.ts';
import { type AWSNodeTemplate, awsNodeTemplateSpecSchema } from './aws-node-template.ts';
import { type Provisioner, provisionerSpecSchema } from './provisioner.ts';

export const provisioners = clusterScoped<Provisioner>('karpenter.sh', 'v1alpha5', 'provisioners', 'Provisioner');
export const awsNodeTemplates = clusterScoped<AWSNodeTemplate>(
  'karpenter.k8s.aws',
  'v1alpha1',
  'awsnodetemplates',
  'AWSNodeTemplate',
);

const readyColumn = {
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  name: 'Ready',
  type: 'string',
} as const;
const ageColumn = { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' } as const;

const oldStatusSchema = openMap({ description: 'The status of the object of v1 that is made of this one.' });

type OldVersion = Pick<CustomResourceVersion, 'name' | 'additionalPrinterColumns' | 'deprecationWarning'> & {
  readonly description: string;
  readonly spec: StructuralSchema;
};

const oldVersion = ({ description, spec, ...version }: OldVersion): CustomResourceVersion => ({
  ...version,
  served: true,
  storage: true,
  deprecated: true,
  schema: { openAPIV3Schema: resourceSchema({ description, spec, status: oldStatusSchema, required: [] }) },
  subresources: { status: {} },
});

/** Known so that it can be refused with what to write instead. */
const amiVersionSchema = object({
  amiVersion: text({ description: 'Not supported: the release is a suffix of amiFamily, as in Bottlerocket-v1.9.1.' }),
}).properties;

/** The kinds before NodePool and EC2NodeClass. Only an embedded API server serves them; `listKarpenterCrds` has none. */
export const listOldKindCrds = (): readonly CustomResourceDefinition[] => [
  clusterScopedDefinition({
    group: awsNodeTemplates.group,
    kind: awsNodeTemplates.kind,
    plural: awsNodeTemplates.plural,
    versions: [
      oldVersion({
        name: awsNodeTemplates.version,
        description: 'An AWSNodeTemplate says what nodes on AWS are made of. It is kept as an EC2NodeClass.',
        deprecationWarning:
          'karpenter.k8s.aws/v1alpha1 AWSNodeTemplate is deprecated; an EC2NodeClass of the same name is made of it',
        additionalPrinterColumns: [readyColumn, ageColumn],
        spec: {
          ...awsNodeTemplateSpecSchema,
          properties: { ...awsNodeTemplateSpecSchema.properties, ...amiVersionSchema },
        },
      }),
    ],
  }),
  clusterScopedDefinition({
    group: provisioners.group,
    kind: provisioners.kind,
    plural: provisioners.plural,
    versions: [
      oldVersion({
        name: provisioners.version,
        description: 'A Provisioner says which nodes may be started for pods that have none. It is kept as a NodePool.',
        deprecationWarning:
          'karpenter.sh/v1alpha5 Provisioner is deprecated; a NodePool of the same name is made of it',
        additionalPrinterColumns: [
          { jsonPath: '.spec.providerRef.name', name: 'Template', type: 'string' },
          readyColumn,
          ageColumn,
          { jsonPath: '.spec.weight', name: 'Weight', priority: 1, type: 'integer' },
        ],
        spec: provisionerSpecSchema,
      }),
    ],
  }),
];
