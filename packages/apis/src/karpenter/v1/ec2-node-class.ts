import {
  choice,
  flag,
  type Infer,
  integer,
  list,
  mapOf,
  object,
  openMap,
  optional,
  rule,
  text,
  timestamp,
} from '../../schema/build.ts';
import {
  clusterScopedDefinition,
  type CustomResourceVersion,
  resourceSchema,
} from '../../schema/custom-resource-definition.ts';
import {
  amiTermsSchema,
  capacityReservationTermsSchema,
  securityGroupTermsSchema,
  subnetTermsSchema,
} from './ec2-node-class-terms.ts';
import { patterns } from './patterns.ts';
import { strictConditions } from './shared-schemas.ts';

export const amiFamilies = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Custom',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

const ebsSchema = object(
  {
    deleteOnTermination: optional(flag({ description: 'Whether the volume goes with the instance.' })),
    encrypted: optional(flag({ description: 'Whether the volume is encrypted.' })),
    iops: optional(integer('int64', { description: 'Operations per second.' })),
    kmsKeyID: optional(text({ description: 'Key that encrypts the volume: id, alias or ARN.' })),
    snapshotID: optional(text({ description: 'Snapshot that the volume starts from.' })),
    throughput: optional(integer('int64', { description: 'MiB per second.' })),
    volumeInitializationRate: optional(
      integer('int32', { description: 'MiB per second at which a snapshot is loaded.', minimum: 100, maximum: 300 }),
    ),
    volumeSize: optional(text({ description: 'Size with its unit: 20Gi.', pattern: patterns.volumeSize })),
    volumeType: optional(
      choice(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'], { description: 'Type of the volume.' }),
    ),
  },
  {
    description: 'The EBS volume behind the device.',
    rules: [
      rule('snapshotID or volumeSize is needed', 'has(self.snapshotID) || has(self.volumeSize)'),
      rule(
        'volumeInitializationRate needs snapshotID',
        "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
      ),
    ],
  },
);

export const blockDeviceMappingsSchema = list(
  object({
    deviceName: optional(text({ description: 'Name of the device: /dev/xvda.' })),
    ebs: optional(ebsSchema),
    rootVolume: optional(flag({ description: 'Marks the volume that the kubelet uses.' })),
  }),
  {
    description: 'Volumes of the instances.',
    maxItems: 50,
    rules: [
      rule('at most one volume is the root volume', 'self.filter(m, has(m.rootVolume) && m.rootVolume).size() <= 1'),
    ],
  },
);

const networkInterfacesSchema = list(
  object({
    deviceIndex: integer('int32', { description: 'Place on the card.', minimum: 0 }),
    interfaceType: choice(['interface', 'efa-only'], { description: 'ENA or EFA.' }),
    networkCardIndex: integer('int32', { description: 'Card of the interface.', minimum: 0 }),
  }),
  {
    description: 'Network interfaces of the instances.',
    maxItems: 150,
    rules: [
      rule(
        'one interface of type interface is at card 0, device 0',
        "self.size() == 0 || self.exists(n, n.networkCardIndex == 0 && n.deviceIndex == 0 && n.interfaceType == 'interface')",
      ),
      rule(
        'card and device name an interface only once, and a card has at most one efa-only interface',
        "self.all(a, self.filter(b, a.networkCardIndex == b.networkCardIndex && (a.deviceIndex == b.deviceIndex || (a.interfaceType == 'efa-only' && b.interfaceType == 'efa-only'))).size() == 1)",
      ),
    ],
  },
);

const metadataOptionsSchema = object(
  {
    httpEndpoint: optional(
      choice(['enabled', 'disabled'], { description: 'Whether there is one.', default: 'enabled' }),
    ),
    httpProtocolIPv6: optional(choice(['enabled', 'disabled'], { description: 'IPv6 as well.', default: 'disabled' })),
    httpPutResponseHopLimit: optional(
      integer('int64', { description: 'How far answers travel, in hops.', default: 1, minimum: 1, maximum: 64 }),
    ),
    httpTokens: optional(choice(['required', 'optional'], { description: 'IMDSv2 tokens.', default: 'required' })),
  },
  {
    description: 'The metadata service of the instances.',
    default: {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    },
  },
);

const connectionTrackingSchema = object(
  {
    tcpEstablishedTimeout: optional(integer('int32', { description: 'Seconds.', minimum: 60, maximum: 432_000 })),
    udpStreamTimeout: optional(integer('int32', { description: 'Seconds.', minimum: 60, maximum: 180 })),
    udpTimeout: optional(integer('int32', { description: 'Seconds.', minimum: 30, maximum: 60 })),
  },
  {
    description: 'How long security groups remember idle connections.',
    rules: [
      rule(
        'at least one timeout is needed',
        'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
      ),
    ],
  },
);

const placementGroupSchema = object(
  {
    id: optional(text({ description: 'Id of the group.', pattern: patterns.placementGroupId })),
    name: optional(text({ description: 'Name of the group.', minLength: 1 })),
  },
  {
    description: 'The placement group that instances are launched in.',
    rules: [
      rule('id or name is needed', 'has(self.id) || has(self.name)'),
      rule('id goes without name', '!(has(self.id) && has(self.name))'),
    ],
  },
);

const tagsSchema = mapOf(text(), {
  description: 'Tags of everything that is launched.',
  rules: [
    rule('the key of a tag may not be empty', "self.all(key, key != '')"),
    rule('the tag eks:eks-cluster-name is set by the controller', "self.all(key, key != 'eks:eks-cluster-name')"),
    rule(
      'tags kubernetes.io/cluster are set by the controller',
      "self.all(key, !key.startsWith('kubernetes.io/cluster'))",
    ),
    rule('the tag karpenter.sh/nodepool is set by the controller', "self.all(key, key != 'karpenter.sh/nodepool')"),
    rule('the tag karpenter.sh/nodeclaim is set by the controller', "self.all(key, key != 'karpenter.sh/nodeclaim')"),
    rule(
      'the tag karpenter.k8s.aws/ec2nodeclass is set by the controller',
      "self.all(key, key != 'karpenter.k8s.aws/ec2nodeclass')",
    ),
  ],
});

export const familyOfAlias = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
} as const;

const familyRules = Object.entries(familyOfAlias).map(([alias, family]) =>
  rule(
    `an alias of family ${alias} goes with amiFamily ${family} or Custom, or with none`,
    `!has(self.amiFamily) || self.amiFamily in ['${family}', 'Custom'] || !self.amiSelectorTerms.exists(term, has(term.alias) && term.alias.find('^[^@]+') == '${alias}')`,
  ),
);

const ec2NodeClassSpecSchema = object(
  {
    amiFamily: optional(choice(amiFamilies, { description: 'Which user data and volumes the image needs.' })),
    amiSelectorTerms: amiTermsSchema,
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
    metadataOptions: optional(metadataOptionsSchema),
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
    tags: optional(tagsSchema),
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

export const ec2NodeClassStatusSchema = object({
  amis: optional(
    list(
      object({
        deprecated: optional(flag({ description: 'Whether the image is deprecated.' })),
        id: text({ description: 'Id of the image.' }),
        name: optional(text({ description: 'Name of the image.' })),
        requirements: list(
          object({
            key: text(),
            operator: choice(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']),
            values: optional(list(text(), { listType: 'atomic' })),
          }),
          { description: 'Which instance types the image is for.' },
        ),
      }),
      { description: 'The images that may be launched.' },
    ),
  ),
  capacityReservations: optional(
    list(
      object({
        availabilityZone: text(),
        endTime: optional(timestamp()),
        id: text({ pattern: patterns.capacityReservationId }),
        instanceMatchCriteria: choice(['open', 'targeted']),
        instanceType: text(),
        interruptible: optional(flag()),
        ownerID: text({ pattern: patterns.accountId }),
        reservationType: optional(choice(['default', 'capacity-block'], { default: 'default' })),
        state: optional(choice(['active', 'expiring'], { default: 'active' })),
      }),
      { description: 'The capacity reservations found.' },
    ),
  ),
  conditions: optional(strictConditions({})),
  instanceProfile: optional(text({ description: 'The instance profile in use.' })),
  securityGroups: optional(
    list(object({ id: text(), name: optional(text()) }), { description: 'The security groups found.' }),
  ),
  subnets: optional(
    list(object({ id: text(), zone: text(), zoneID: optional(text()) }), { description: 'The subnets found.' }),
  ),
});

export type EC2NodeClassSpec = Infer<typeof ec2NodeClassSpecSchema>;
export type EC2NodeClassStatus = Infer<typeof ec2NodeClassStatusSchema>;

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
