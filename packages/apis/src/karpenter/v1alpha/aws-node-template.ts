import { flag, type Infer, integer, mapOf, object, openMap, optional, text } from '../../schema/build.ts';
import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { blockDeviceMappingsSchema } from '../v1/ec2-node-class-machine.ts';

const selector = mapOf(text());

/** The older form of an EC2NodeClass. Nothing is required here: what v1 needs and is missing is told after conversion. */
export const awsNodeTemplateSpecSchema = object({
  amiFamily: optional(text()),
  amiSelector: optional(selector),
  blockDeviceMappings: optional(blockDeviceMappingsSchema),
  context: optional(text()),
  detailedMonitoring: optional(flag()),
  instanceProfile: optional(text()),
  launchTemplate: optional(text()),
  metadataOptions: optional(
    object({
      httpEndpoint: optional(text()),
      httpProtocolIPv6: optional(text()),
      httpPutResponseHopLimit: optional(integer('int64')),
      httpTokens: optional(text()),
    }),
  ),
  securityGroupSelector: optional(selector),
  subnetSelector: optional(selector),
  tags: optional(mapOf(text())),
  userData: optional(text()),
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
