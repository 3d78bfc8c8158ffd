import { choice, flag, type Infer, integer, mapOf, object, openMap, optional, rule, text } from '../../schema/build.ts';
import {
  clusterScopedDefinition,
  type CustomResourceVersion,
  resourceSchema,
} from '../../schema/custom-resource-definition.ts';
import {
  blockDeviceMappingsSchema,
  connectionTrackingSchema,
  metadataOptionsV1Schema,
  networkInterfacesSchema,
  placementGroupSchema,
} from './ec2-node-class-machine.ts';
import { ec2NodeClassStatusSchema } from './ec2-node-class-status.ts';
import {
  amiSelectorTermsSchema,
  capacityReservationTermsSchema,
  securityGroupTermsSchema,
  subnetTermsSchema,
} from './ec2-node-class-terms.ts';

export const amiFamilies = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Custom',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

const tagsV1Schema = mapOf(text(), {
  description: 'Tags of everything that is launched.',
  rules: [
    rule('the key of a tag may not be empty', "self.all(key, key != '')"),
    rule('the tag eks:eks-cluster-name is set by the controller', "self.all(key, key != 'eks:eks-cluster-name')"),
    rule(
      'tags kubernetes.io/cluster are set by the controller',
      "self.all(key, !key.startsWith('kubernetes.io/cluster'))",
      "self.filter(key, key.startsWith('kubernetes.io/cluster'))[0]",
    ),
    rule('the tag karpenter.sh/nodepool is set by the controller', "self.all(key, key != 'karpenter.sh/nodepool')"),
    rule('the tag karpenter.sh/nodeclaim is set by the controller', "self.all(key, key != 'karpenter.sh/nodeclaim')"),
    rule(
      'the tag karpenter.k8s.aws/ec2nodeclass is set by the controller',
      "self.all(key, key != 'karpenter.k8s.aws/ec2nodeclass')",
    ),
  ],
});

export const aliasFamilyRules = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
} as const;

const familyRules = Object.entries(aliasFamilyRules).map(([alias, family]) =>
  rule(
    `an alias of family ${alias} goes with amiFamily ${family} or Custom, or with none`,
    `!has(self.amiFamily) || self.amiFamily in ['${family}', 'Custom'] || !self.amiSelectorTerms.exists(term, has(term.alias) && term.alias.find('^[^@]+') == '${alias}')`,
  ),
);

const ec2NodeClassSpecSchema = object(
  {
    amiFamily: optional(choice(amiFamilies, { description: 'Which user data and volumes the image needs.' })),
    amiSelectorTerms: amiSelectorTermsSchema,
    associatePublicIPAddress: optional(flag({ description: 'Whether instances get a public address.' })),
    blockDeviceMappings: optional(blockDeviceMappingsSchema),
    capacityReservationSelectorTerms: optional(capacityReservationTermsSchema),
    connectionTracking: optional(connectionTrackingSchema),
    context: optional(text({ description: 'Passed to CreateFleet as it is.' })),
    cpuOptions: optional(
      object(
        {
          nestedVirtualization: optional(choice(['enabled', 'disabled'], { description: 'Virtual machines inside.' })),
        },
        { description: 'Options of the processor.' },
      ),
    ),
    detailedMonitoring: optional(flag({ description: 'Whether CloudWatch measures every minute.' })),
    instanceProfile: optional(
      text({
        description: 'The instance profile of the instances.',
        rules: [rule('instanceProfile may not be empty', "self != ''")],
      }),
    ),
    instanceStorePolicy: optional(choice(['RAID0'], { description: 'What becomes of instance store disks.' })),
    ipPrefixCount: optional(integer('int32', { description: 'IPv4 prefixes of the primary interface.', minimum: 0 })),
    kubelet: optional(openMap({ description: 'KubeletConfiguration of the nodes.' })),
    metadataOptions: optional(metadataOptionsV1Schema),
    networkInterfaces: optional(networkInterfacesSchema),
    placementGroupSelector: optional(placementGroupSchema),
    role: optional(
      text({
        description: 'The role of the nodes; an instance profile is made for it.',
        rules: [rule('role may not be empty', "self != ''")],
      }),
    ),
    securityGroupSelectorTerms: securityGroupTermsSchema,
    subnetSelectorTerms: subnetTermsSchema,
    tags: optional(tagsV1Schema),
    userData: optional(text({ description: 'Added to what the image is started with.' })),
  },
  {
    rules: [
      rule(
        'amiFamily is needed unless an alias tells it',
        'has(self.amiFamily) || self.amiSelectorTerms.exists(term, has(term.alias))',
      ),
      ...familyRules,
      rule('exactly one of role and instanceProfile is needed', 'has(self.role) != has(self.instanceProfile)'),
    ],
  },
);

export type EC2NodeClassSpec = Infer<typeof ec2NodeClassSpecSchema>;

export const ec2NodeClassV1: CustomResourceVersion = {
  name: 'v1',
  served: true,
  storage: true,
  additionalPrinterColumns: [
    { jsonPath: '.status.conditions[?(@.type=="Ready")].status', name: 'Ready', type: 'string' },
    { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
    { jsonPath: '.spec.role', name: 'Role', priority: 1, type: 'string' },
  ],
  schema: {
    openAPIV3Schema: resourceSchema({
      description: 'An EC2NodeClass says how EC2 instances are made into nodes.',
      spec: ec2NodeClassSpecSchema,
      status: ec2NodeClassStatusSchema,
      required: [],
    }),
  },
  subresources: { status: {} },
};

export const ec2NodeClassDefinition = (versions: readonly CustomResourceVersion[]) =>
  clusterScopedDefinition({
    group: 'karpenter.k8s.aws',
    kind: 'EC2NodeClass',
    plural: 'ec2nodeclasses',
    shortNames: ['ec2nc', 'ec2ncs'],
    versions,
  });
