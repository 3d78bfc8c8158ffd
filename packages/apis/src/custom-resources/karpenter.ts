import { stringify } from 'yaml';
import type { KubernetesObject } from '../kubernetes/meta.ts';
import type { ConversionWebhook, CustomResourceDefinition } from '../schema/custom-resource-definition.ts';
import { capacityBufferDefinition } from '../autoscaling/capacity-buffer.ts';
import { convertWithoutLoss } from '../karpenter/lossless/convert-without-loss.ts';
import { ec2NodeClassDefinition, ec2NodeClassV1 } from '../karpenter/v1/ec2-node-class.ts';
import { nodeClaimDefinition, nodeClaimV1 } from '../karpenter/v1/node-claim.ts';
import { nodePoolDefinition, nodePoolV1 } from '../karpenter/v1/node-pool.ts';
import { nodeOverlayDefinition } from '../karpenter/v1alpha1/node-overlay.ts';
import { ec2NodeClassV1Beta1 } from '../karpenter/v1beta1/ec2-node-class.ts';
import { nodeClaimV1Beta1 } from '../karpenter/v1beta1/node-claim.ts';
import { nodePoolV1Beta1 } from '../karpenter/v1beta1/node-pool.ts';

/** A definition and how its objects are turned from one served version into another. */
export type ServedCustomResource = {
  readonly crd: CustomResourceDefinition;
  /** The object in `apiVersion`, such as `karpenter.sh/v1beta1`. Pure; the same object when it already is. */
  readonly conversion: (object: KubernetesObject, apiVersion: string) => KubernetesObject;
};

/**
 * The definitions that Karpenter 1.14.1 comes with, plus `amiSelectorTerms[].minimumAgeDuration`; of NodePool, NodeClaim
 * and EC2NodeClass v1 alone. CapacityBuffer and NodeOverlay are among them whatever gates are on. Sorted by name.
 */
export const listKarpenterCrds = (): readonly CustomResourceDefinition[] => [
  capacityBufferDefinition(),
  ec2NodeClassDefinition([ec2NodeClassV1]),
  nodeClaimDefinition([nodeClaimV1]),
  nodeOverlayDefinition(),
  nodePoolDefinition([nodePoolV1]),
];

/** Where the webhook is that converts between v1 and v1beta1. */
export type ConversionService = { readonly name: string; readonly namespace: string };

/** The path at which the controller answers reviews, and the port of its Service. */
export const conversionEndpoint = { path: '/convert', port: 443 } as const;

/**
 * `listKarpenterCrds`, but NodePool, NodeClaim and EC2NodeClass are served as v1beta1 too: v1 is stored, and the webhook
 * of the controller converts. It puts the `caBundle` there by itself.
 */
export const listConvertedCrds = (service: ConversionService): readonly CustomResourceDefinition[] =>
  listKarpenterCrds().map((crd) => {
    const both = convertedDefinitions.find(({ metadata }) => metadata.name === crd.metadata.name);
    return both === undefined ? crd : { ...both, spec: { ...both.spec, conversion: conversionBy(service) } };
  });

const conversionBy = (service: ConversionService): ConversionWebhook => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { ...service, ...conversionEndpoint } },
    conversionReviewVersions: ['v1'],
  },
});

/** Objects as one YAML stream that `kubectl apply -f -` takes. */
export const printYaml = (objects: readonly KubernetesObject[]): string =>
  objects
    .map((object) => `---\n${stringify(object, { lineWidth: 0, version: '1.1', aliasDuplicateObjects: false })}`)
    .join('');

const convertedDefinitions: readonly CustomResourceDefinition[] = [
  ec2NodeClassDefinition([ec2NodeClassV1, ec2NodeClassV1Beta1]),
  nodeClaimDefinition([nodeClaimV1, nodeClaimV1Beta1]),
  nodePoolDefinition([nodePoolV1, nodePoolV1Beta1]),
];

/** The definitions of kinds that a conversion webhook converts, by name. */
export const convertedDefinitionNames: readonly string[] = convertedDefinitions.map(({ metadata }) => metadata.name);

/** There is one version. */
const unconverted: ServedCustomResource['conversion'] = (object) => object;

/** What an embedded API server serves of Karpenter: where there is v1, it is stored, and v1beta1 is served too. */
export const karpenterCustomResources: readonly ServedCustomResource[] = [
  ...convertedDefinitions.map((crd) => ({ crd, conversion: convertWithoutLoss })),
  ...[capacityBufferDefinition(), nodeOverlayDefinition()].map((crd) => ({ crd, conversion: unconverted })),
];
