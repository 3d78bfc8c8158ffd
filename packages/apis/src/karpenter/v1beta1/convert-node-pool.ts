import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { jsonAnnotation, withAnnotations } from '../annotations.ts';
import { karpenterAnnotations } from '../labels.ts';
import type { NodePool } from '../types.ts';
import { referenceToV1, referenceToV1Beta1 } from './node-class-reference.ts';
import type { NodePoolSpecV1Beta1 } from './node-pool.ts';

export type NodePoolV1Beta1 = KubernetesObject & {
  readonly spec: NodePoolSpecV1Beta1;
  readonly status?: NonNullable<NodePool['status']>;
};

type V1Disruption = NonNullable<NodePool['spec']['disruption']>;
type DisruptionV1Beta1 = NonNullable<NodePoolSpecV1Beta1['disruption']>;

/** @see https://karpenter.sh/v1.0/upgrading/v1-migration/ */
export function nodePoolToV1(pool: NodePoolV1Beta1): NodePool {
  const { disruption = {}, template, ...spec } = pool.spec;
  const { kubelet, nodeClassRef, resources: _resources, ...templateSpec } = template.spec;
  const { expireAfter } = disruption;
  return withAnnotations(
    {
      ...pool,
      apiVersion: 'karpenter.sh/v1',
      spec: {
        ...spec,
        disruption: disruptionToV1(disruption),
        template: {
          ...template,
          spec: {
            ...templateSpec,
            nodeClassRef: referenceToV1(nodeClassRef),
            ...(expireAfter === undefined ? {} : { expireAfter }),
          },
        },
      },
    },
    {
      [karpenterAnnotations.v1beta1NodeClassReference]: JSON.stringify(nodeClassRef),
      [karpenterAnnotations.v1beta1Kubelet]: kubelet === undefined ? undefined : JSON.stringify(kubelet),
    },
  );
}

function disruptionToV1({ budgets, consolidateAfter, consolidationPolicy }: DisruptionV1Beta1): V1Disruption {
  const rest = budgets === undefined ? {} : { budgets };
  return consolidationPolicy === 'WhenEmpty'
    ? { ...rest, consolidationPolicy, consolidateAfter: consolidateAfter ?? 'Never' }
    : { ...rest, consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
}

/** What v1beta1 has no word for is lost: reasons of budgets, replicas, terminationGracePeriod. */
export function nodePoolToV1Beta1(pool: NodePool): NodePoolV1Beta1 {
  const { disruption = {}, template, replicas: _replicas, ...spec } = pool.spec;
  const { expireAfter, nodeClassRef, terminationGracePeriod: _gracePeriod, ...templateSpec } = template.spec;
  const kubelet = jsonAnnotation(pool, karpenterAnnotations.v1beta1Kubelet);
  return withAnnotations(
    {
      ...pool,
      apiVersion: 'karpenter.sh/v1beta1',
      spec: {
        ...spec,
        disruption: {
          ...disruptionToV1Beta1(disruption),
          ...(expireAfter === undefined ? {} : { expireAfter }),
        },
        template: {
          ...template,
          spec: {
            ...templateSpec,
            nodeClassRef: referenceToV1Beta1(pool, nodeClassRef),
            ...(kubelet === undefined ? {} : { kubelet }),
          },
        },
      },
    },
    conversionTraces,
  );
}

/** Annotations that v1 keeps on behalf of v1beta1, taken off on the way back. */
export const conversionTraces = {
  [karpenterAnnotations.v1beta1NodeClassReference]: undefined,
  [karpenterAnnotations.v1beta1Kubelet]: undefined,
  [karpenterAnnotations.storedVersionMigrated]: undefined,
} as const;

function disruptionToV1Beta1({ budgets, consolidateAfter, consolidationPolicy }: V1Disruption): DisruptionV1Beta1 {
  const rest = budgets === undefined ? {} : { budgets: budgets.map(({ reasons: _reasons, ...budget }) => budget) };
  if (consolidationPolicy !== 'WhenEmpty') return { ...rest, consolidationPolicy: 'WhenUnderutilized' };
  return { ...rest, consolidationPolicy, ...(consolidateAfter === undefined ? {} : { consolidateAfter }) };
}
