import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { Provisioner } from '../v1alpha/provisioner.ts';
import { withoutRemarkInAge } from './remark-in-age.ts';
import { rewriteToV1, type RewriteOptions } from './rewrite-to-v1.ts';
import type { RefusedManifest, Rewritten } from './rewritten.ts';

/**
 * An AWSNodeTemplate or a Provisioner as an API server that serves it judges it: alone, without the others that it names.
 * What a file may leave to its reader is refused here: a remark that has become part of a value.
 */
export function judgeOldKind(object: KubernetesObject, options: RewriteOptions): Rewritten | RefusedManifest {
  const { manifest, complaint } = withoutRemarkInAge(object);
  if (complaint !== undefined) return { complaints: [complaint] };
  const [outcome = { complaints: [] }] = rewriteToV1([withoutKubeletSettings(manifest)], options);
  return outcome;
}

/** They go to the EC2NodeClass, which is judged with its AWSNodeTemplate. */
function withoutKubeletSettings(object: KubernetesObject): KubernetesObject {
  const { spec } = object as Provisioner;
  if (object.kind !== 'Provisioner' || spec?.kubeletConfiguration === undefined) return object;
  const { kubeletConfiguration: _, ...rest } = spec;
  return { ...object, spec: rest } as KubernetesObject;
}
