import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { jsonAnnotation } from '../annotations.ts';
import { karpenterAnnotations } from '../labels.ts';
import type { NodeClassReference } from '../types.ts';

/** A reference as v1beta1 writes it: group and version may be left out. */
export type NodeClassReferenceV1Beta1 = { readonly apiVersion?: string; readonly kind?: string; readonly name: string };

const usual = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' } as const;

export function referenceToV1({ apiVersion, kind, name }: NodeClassReferenceV1Beta1): NodeClassReference {
  return { group: apiVersion?.split('/')[0] ?? usual.group, kind: kind ?? usual.kind, name };
}

/** As it was once written in v1beta1, if that still means the same group and kind; the name is always the current one. */
export function referenceToV1Beta1(object: KubernetesObject, current: NodeClassReference): NodeClassReferenceV1Beta1 {
  const { kind, name } = current;
  const written = writtenReference(object);
  const means = written === undefined ? undefined : referenceToV1({ ...written, name });
  return means?.group === current.group && means.kind === kind ? { ...written, name } : { kind, name };
}

function writtenReference(object: KubernetesObject): Omit<NodeClassReferenceV1Beta1, 'name'> | undefined {
  const stored = jsonAnnotation(object, karpenterAnnotations.v1beta1NodeClassReference);
  if (stored === undefined) return undefined;
  const { apiVersion, kind } = stored;
  return {
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...(typeof kind === 'string' ? { kind } : {}),
  };
}
