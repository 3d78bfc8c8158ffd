import { flag, type Infer, integer, mapOf, object, openMap, optional, text } from '../../schema/build.ts';
import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { blockDeviceMappingsSchema } from '../v1/ec2-node-class-machine.ts';

const selectorOf = (description: string) => mapOf(text(), { description });

/** The older form of an EC2NodeClass. Nothing is required here: what v1 needs and is missing is told after conversion. */
export const awsNodeTemplateSpecSchema = object({
  amiFamily: optional(text({ description: 'Family of the image, possibly with a release: AL2-v20220824 [AL2].' })),
  amiSelector: optional(
    selectorOf(
      'Which images nodes may get, by tags, aws-ids, aws::name or aws::owners; with minimumAgeDuration how old they are.',
    ),
  ),
  blockDeviceMappings: optional(blockDeviceMappingsSchema),
  context: optional(text({ description: 'Context of the fleet, as EC2 knows it.' })),
  detailedMonitoring: optional(flag({ description: 'Whether CloudWatch gets metrics every minute.' })),
  instanceProfile: optional(text({ description: 'Instance profile of the nodes.' })),
  launchTemplate: optional(text({ description: 'Launch template of your own; not supported any more.' })),
  metadataOptions: optional(
    object({
      httpEndpoint: optional(text()),
      httpProtocolIPv6: optional(text()),
      httpPutResponseHopLimit: optional(integer('int64')),
      httpTokens: optional(text()),
    }),
  ),
  securityGroupSelector: optional(selectorOf('Which security groups nodes get, by tags or aws-ids.')),
  subnetSelector: optional(selectorOf('Which subnets nodes are started in, by tags or aws-ids.')),
  tags: optional(mapOf(text(), { description: 'Tags of everything that is created.' })),
  userData: optional(text({ description: 'User data of the instances.' })),
});

export const awsNodeTemplateSchema = object({
  apiVersion: text(),
  kind: text(),
  metadata: openMap(),
  spec: optional(awsNodeTemplateSpecSchema),
  status: optional(openMap()),
});

export type AWSNodeTemplateSpec = Infer<typeof awsNodeTemplateSpecSchema>;
export type AWSNodeTemplate = KubernetesObject & { readonly spec?: AWSNodeTemplateSpec };
