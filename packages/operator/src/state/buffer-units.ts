import { isConditionTrue, type CapacityBuffer, type KubernetesObject, type Pod } from '@nodewright/apis';
import { bufferTemplate, virtualPods, type BufferTemplate } from '@nodewright/engine';
import type { Objects } from './objects.ts';

/** What a unit of a buffer is like, by what is known of the object it refers to. */
export const bufferTemplateOf = (objects: Objects, buffer: CapacityBuffer): BufferTemplate =>
  bufferTemplate(buffer, (kind, { name, namespace }) => collectionsByKind(objects)[kind].get(name, namespace));

const collectionsByKind = ({ podTemplates, deployments, statefulSets, replicaSets }: Objects) => ({
  PodTemplate: podTemplates,
  Deployment: deployments,
  StatefulSet: statefulSets,
  ReplicaSet: replicaSets,
});

/** Whether the units of a buffer are like the pods of an object of that kind. */
export function refersTo(
  { metadata, spec }: CapacityBuffer,
  kind: string,
  { metadata: of }: KubernetesObject,
): boolean {
  const { podTemplateRef, scalableRef } = spec;
  const name =
    kind === 'PodTemplate' ? podTemplateRef?.name : scalableRef?.kind === kind ? scalableRef.name : undefined;
  return name === of.name && metadata.namespace === of.namespace;
}

/** A pod for every unit of every buffer that is ready; none without the gate `CapacityBuffer`. */
export const unitsOfBuffers = (objects: Objects): readonly Pod[] =>
  objects.capacityBuffers.list().flatMap((buffer) => {
    const found = bufferTemplateOf(objects, buffer);
    if (found.kind === 'missing' || !isConditionTrue(buffer, 'ReadyForProvisioning')) return [];
    return virtualPods(buffer, found.template, buffer.status?.replicas ?? 0);
  });
