import {
  isConditionTrue,
  type CapacityBuffer,
  type KubernetesObject,
  type Pod,
  type PodTemplate,
  type PodTemplateSpec,
} from '@nodewright/apis';
import { virtualPods } from '@nodewright/engine';
import type { Objects } from './objects.ts';

/** What a unit of a buffer is like, or why nobody knows. */
export type BufferTemplate =
  | {
      readonly kind: 'found';
      readonly template: PodTemplateSpec;
      /** Of a PodTemplate: itself. */
      readonly podTemplate?: PodTemplate;
      /** Of a workload: how many replicas it wants. */
      readonly workloadReplicas?: number;
    }
  | {
      readonly kind: 'missing';
      readonly reason: 'PodTemplateNotFound' | 'ScalableRefNotFound' | 'ResolutionFailed';
      readonly message: string;
    };

export function bufferTemplateOf(objects: Objects, { metadata, spec }: CapacityBuffer): BufferTemplate {
  const { podTemplateRef, scalableRef } = spec;
  const namespace = metadata.namespace ?? 'default';
  if (podTemplateRef !== undefined) {
    const podTemplate = objects.podTemplates.get(podTemplateRef.name, namespace);
    return podTemplate === undefined
      ? missing('PodTemplateNotFound', `there is no PodTemplate ${namespace}/${podTemplateRef.name}`)
      : { kind: 'found', template: podTemplate.template, podTemplate };
  }
  if (scalableRef === undefined) return missing('ResolutionFailed', 'it has neither podTemplateRef nor scalableRef');
  return templateOfWorkload(objects, scalableRef, namespace);
}

type ScalableRef = NonNullable<CapacityBuffer['spec']['scalableRef']>;
type Workload = KubernetesObject & {
  readonly spec: { readonly replicas?: number; readonly template?: PodTemplateSpec };
};

function templateOfWorkload(
  objects: Objects,
  { apiGroup = '', kind, name }: ScalableRef,
  namespace: string,
): BufferTemplate {
  const kinds = { Deployment: objects.deployments, StatefulSet: objects.statefulSets, ReplicaSet: objects.replicaSets };
  const collection = apiGroup === 'apps' ? Object.entries(kinds).find(([each]) => each === kind)?.[1] : undefined;
  if (collection === undefined) {
    const asked = apiGroup === '' ? kind : `${kind}.${apiGroup}`;
    return missing(
      'ResolutionFailed',
      `scalableRef may be a Deployment, StatefulSet or ReplicaSet of apps, not ${asked}`,
    );
  }
  const workload: Workload | undefined = collection.get(name, namespace);
  if (workload === undefined) return missing('ScalableRefNotFound', `there is no ${kind} ${namespace}/${name}`);
  const { template, replicas = 1 } = workload.spec;
  if (template === undefined) return missing('ResolutionFailed', `${kind} ${namespace}/${name} has no pod template`);
  return { kind: 'found', template, workloadReplicas: replicas };
}

const missing = (reason: Extract<BufferTemplate, { kind: 'missing' }>['reason'], message: string): BufferTemplate => ({
  kind: 'missing',
  reason,
  message,
});

/** Whether the units of a buffer are like the pods of an object of that kind. */
export function refersTo(
  { metadata, spec }: CapacityBuffer,
  kind: string,
  { metadata: of }: KubernetesObject,
): boolean {
  const name = kind === 'PodTemplate' ? spec.podTemplateRef?.name : undefined;
  const wanted = name ?? (spec.scalableRef?.kind === kind ? spec.scalableRef.name : undefined);
  return wanted === of.name && metadata.namespace === of.namespace;
}

/** A pod for every unit of every buffer that is ready; none without the gate `CapacityBuffer`. */
export const unitsOfBuffers = (objects: Objects): readonly Pod[] =>
  objects.capacityBuffers.list().flatMap((buffer) => {
    const found = bufferTemplateOf(objects, buffer);
    if (found.kind === 'missing' || !isConditionTrue(buffer, 'ReadyForProvisioning')) return [];
    return virtualPods(buffer, found.template, buffer.status?.replicas ?? 0);
  });
