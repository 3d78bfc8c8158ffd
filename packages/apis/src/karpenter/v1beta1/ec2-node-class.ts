import { choice, flag, type Infer, integer, list, mapOf, object, optional, rule, text } from '../../schema/build.ts';
import { type CustomResourceVersion, resourceSchema } from '../../schema/custom-resource-definition.ts';
import { securityGroupTermsSchema, subnetTermsSchema } from '../v1/ec2-node-class-terms.ts';
import { blockDeviceMappingsSchema } from '../v1/ec2-node-class-machine.ts';
import { ec2NodeClassStatusSchema } from '../v1/ec2-node-class-status.ts';
import { fieldPatterns } from '../v1/patterns.ts';

/** A family, with the release it is pinned to where the family has releases: `AL2`, `AL2-v20220824`, `Bottlerocket-v1.9.1`. */
const amiFamilyPattern =
  '^(AL2|AL2023|Bottlerocket|Ubuntu|Custom|Windows2019|Windows2022|(AL2|AL2023|Ubuntu)-v[0-9]{8}|Bottlerocket-v?[0-9]+\\.[0-9]+\\.[0-9]+)$';

export const amiFamilySchema = text({
  description: 'Family of the image, possibly with a release.',
  pattern: amiFamilyPattern,
});

const metadataOptionsV1Beta1Schema = object(
  {
    httpEndpoint: optional(choice(['enabled', 'disabled'], { default: 'enabled' })),
    httpProtocolIPv6: optional(choice(['enabled', 'disabled'], { default: 'disabled' })),
    httpPutResponseHopLimit: optional(integer('int64', { default: 2, minimum: 1, maximum: 64 })),
    httpTokens: optional(choice(['required', 'optional'], { default: 'required' })),
  },
  {
    description: 'The metadata service of the instances.',
    default: {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 2,
      httpTokens: 'required',
    },
  },
);

const amiTermsV1Beta1Schema = list(
  object({
    id: optional(text({ pattern: fieldPatterns.imageId })),
    name: optional(text()),
    owner: optional(text()),
    tags: optional(
      mapOf(text(), {
        maxProperties: 20,
        rules: [rule('neither keys nor values of tags may be empty', "self.all(key, key != '' && self[key] != '')")],
      }),
    ),
  }),
  {
    description: 'Which images nodes may get; when left out, the latest of amiFamily.',
    maxItems: 30,
    rules: [
      rule('a term needs tags, id or name', 'self.all(term, has(term.tags) || has(term.id) || has(term.name))'),
      rule(
        'id goes without tags, name and owner',
        'self.size() == 0 || !self.all(term, has(term.id) && (has(term.tags) || has(term.name) || has(term.owner)))',
      ),
    ],
  },
);

const restrictedTags = [
  'karpenter.sh/nodepool',
  'karpenter.sh/managed-by',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.aws/ec2nodeclass',
];

const tagsV1Beta1Schema = mapOf(text(), {
  description: 'Tags of everything that is launched.',
  rules: [
    rule('the key of a tag may not be empty', "self.all(key, key != '')"),
    rule(
      'tags kubernetes.io/cluster are set by the controller',
      "self.all(key, !key.startsWith('kubernetes.io/cluster'))",
    ),
    ...restrictedTags.map((tag) => rule(`the tag ${tag} is set by the controller`, `self.all(key, key != '${tag}')`)),
  ],
});

const ec2NodeClassV1Beta1Schema = object(
  {
    amiFamily: amiFamilySchema,
    amiSelectorTerms: optional(amiTermsV1Beta1Schema),
    associatePublicIPAddress: optional(flag()),
    blockDeviceMappings: optional(blockDeviceMappingsSchema),
    context: optional(text()),
    detailedMonitoring: optional(flag()),
    instanceProfile: optional(text({ rules: [rule('instanceProfile may not be empty', "self != ''")] })),
    instanceStorePolicy: optional(choice(['RAID0'])),
    metadataOptions: optional(metadataOptionsV1Beta1Schema),
    role: optional(
      text({
        rules: [rule('role may not be empty', "self != ''"), rule('role cannot change', 'self == oldSelf')],
      }),
    ),
    securityGroupSelectorTerms: securityGroupTermsSchema,
    subnetSelectorTerms: subnetTermsSchema,
    tags: optional(tagsV1Beta1Schema),
    userData: optional(text()),
  },
  {
    rules: [
      rule(
        'amiFamily Custom needs amiSelectorTerms',
        "self.amiFamily != 'Custom' || (has(self.amiSelectorTerms) && self.amiSelectorTerms.size() > 0)",
      ),
      rule(
        'a release in amiFamily goes without amiSelectorTerms',
        "!self.amiFamily.contains('-') || !has(self.amiSelectorTerms) || self.amiSelectorTerms.size() == 0",
      ),
      rule('exactly one of role and instanceProfile is needed', 'has(self.role) != has(self.instanceProfile)'),
      rule('role cannot give way to instanceProfile, nor the other way round', 'has(self.role) == has(oldSelf.role)'),
    ],
  },
);

export type EC2NodeClassSpecV1Beta1 = Infer<typeof ec2NodeClassV1Beta1Schema>;

export const ec2NodeClassV1Beta1: CustomResourceVersion = {
  name: 'v1beta1',
  served: true,
  storage: false,
  additionalPrinterColumns: [],
  schema: {
    openAPIV3Schema: resourceSchema({
      description: 'An EC2NodeClass as it was written before v1.',
      spec: ec2NodeClassV1Beta1Schema,
      status: ec2NodeClassStatusSchema,
      required: [],
    }),
  },
  subresources: { status: {} },
};
