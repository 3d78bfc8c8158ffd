import type { KubernetesObject } from '../kubernetes/meta.ts';
import { convertToVersion } from './convert.ts';
import type { EC2NodeClass } from './types.ts';
import { fillHopLimit } from './v1beta1/hop-limit.ts';

/**
 * A NodePool, NodeClaim or EC2NodeClass as an API server stores it in v1 when it is applied in v1beta1: with the default of
 * v1beta1 where that of v1 is another one. Other objects come back as they are.
 */
export function convertManifest(object: KubernetesObject): KubernetesObject {
  const { apiVersion = '' } = object;
  if (!/^karpenter\.(sh|k8s\.aws)\/v1beta1$/.test(apiVersion)) return object;
  const converted = convertToVersion(object, apiVersion.replace('/v1beta1', '/v1'));
  if (converted.kind !== 'EC2NodeClass' || !('spec' in converted)) return converted;
  const { spec } = converted as EC2NodeClass;
  return { ...converted, spec: { ...spec, ...fillHopLimit(spec) } } as EC2NodeClass;
}
