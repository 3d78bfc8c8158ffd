import { flag, type Infer, integer, mapOf, object, openMap, optional, text } from '../../schema/build.ts';
import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { requirementsSchema } from '../v1/requirement-schemas.ts';
import { resourceMap, taintsSchema } from '../v1/shared-schemas.ts';

const secondsSchema = (description: string) => optional(integer('int64', { description, minimum: 0 }));

/** The older form of a NodePool. */
export const provisionerSpecSchema = object({
  annotations: optional(mapOf(text(), { description: 'Annotations of the nodes.' })),
  consolidation: optional(
    object({ enabled: optional(flag()) }, { description: 'Whether nodes go that others have room for.' }),
  ),
  kubeletConfiguration: optional(openMap({ description: 'Arguments of the kubelet.' })),
  labels: optional(mapOf(text(), { description: 'Labels of the nodes.' })),
  limits: optional(
    object(
      { resources: optional(resourceMap('How much all nodes may have.')) },
      { description: 'Limits of all nodes together.' },
    ),
  ),
  provider: optional(openMap({ description: 'An AWSNodeTemplate written inline.' })),
  providerRef: optional(
    object(
      { apiVersion: optional(text()), kind: optional(text()), name: text() },
      { description: 'The AWSNodeTemplate of the nodes.' },
    ),
  ),
  requirements: optional(requirementsSchema('inNodePool')),
  startupTaints: optional(taintsSchema('Taints that something else takes off once the node can be used.')),
  taints: optional(taintsSchema('Taints of the nodes.')),
  ttlSecondsAfterEmpty: secondsSchema('How long a node may be empty.'),
  ttlSecondsUntilExpired: secondsSchema('How long a node may live.'),
  weight: optional(
    integer('int32', { description: 'Which Provisioner is asked first: the highest.', minimum: 1, maximum: 100 }),
  ),
});

export const provisionerSchema = object({
  apiVersion: text(),
  kind: text(),
  metadata: openMap(),
  spec: optional(provisionerSpecSchema),
  status: optional(openMap()),
});

export type ProvisionerSpec = Infer<typeof provisionerSpecSchema>;
export type Provisioner = KubernetesObject & { readonly spec?: ProvisionerSpec };
