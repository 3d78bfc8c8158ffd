import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { EC2NodeClassV1Beta1 } from '../v1beta1/carried-over.ts';
import type { NodeClaimV1Beta1 } from '../v1beta1/convert-node-claim.ts';
import type { NodePoolV1Beta1 } from '../v1beta1/convert-node-pool.ts';
import { withoutRemarkInAge } from './remark-in-age.ts';
import { completeManifest, stillMissing } from './completed.ts';
import { conversionComplaints } from './conversion-complaints.ts';
import { withKubeletSettings } from './kubelet-settings.ts';
import { manifestComplaints } from './manifest-complaints.ts';
import { rewrittenNodeClass, rewrittenNodeTemplate } from './node-class.ts';
import { rewrittenNodeClaim, rewrittenNodePool, rewrittenProvisioner } from './node-pool.ts';
import { withRenamedKeys } from './renamed-keys.ts';
import type { RefusedManifest, Rewritten } from './rewritten.ts';

export type RewriteOptions = {
  /** The minor of the cluster, `1.29`: names the images of Ubuntu. */
  readonly kubernetesVersion?: string;
  /** Names the role and the discovery tags of node classes that leave them out. */
  readonly clusterName?: string;
};

/**
 * Manifests of any version of Karpenter in v1: one outcome for each, in their order. Kinds of others come back with
 * renamed labels and annotations at most; what needs no change is the very same object. Kubelet settings of a pool
 * go to the EC2NodeClass it names.
 * @see https://karpenter.sh/v1.0/upgrading/v1-migration/
 */
export const rewriteToV1 = (
  manifests: readonly KubernetesObject[],
  options: RewriteOptions = {},
): readonly (Rewritten | RefusedManifest)[] =>
  withKubeletSettings(manifests.map((manifest) => rewritten(withRenamedKeys(manifest), options)));

function rewritten(written: KubernetesObject, options: RewriteOptions): Rewritten | RefusedManifest {
  const { manifest, remarks } = withoutRemarkInAge(written);
  const malformed = manifestComplaints(manifest);
  const complaints = malformed.length > 0 ? malformed : conversionComplaints(manifest, options);
  if (complaints.length > 0) return { complaints };
  const outcome = inV1(manifest, options);
  if (outcome.object === manifest) return outcome;
  const object = completeManifest(outcome.object, options.clusterName);
  const left = manifestComplaints(object);
  const wrong = left.filter(({ remedy }) => remedy !== isMissingText);
  if (wrong.length > 0) return { complaints: wrong };
  const absent = stillMissing(
    object,
    left.map(({ field }) => field),
  );
  const isIncomplete = absent.length > 0 && { isIncomplete: true as const };
  return { ...outcome, object, ...isIncomplete, remarks: [...remarks, ...outcome.remarks, ...absent] };
}

const isMissingText = 'is missing';

function inV1(object: KubernetesObject, options: RewriteOptions): Rewritten {
  switch (`${object.kind} ${object.apiVersion}`) {
    case 'NodePool karpenter.sh/v1beta1':
      return rewrittenNodePool(object as NodePoolV1Beta1);
    case 'NodeClaim karpenter.sh/v1beta1':
      return rewrittenNodeClaim(object as NodeClaimV1Beta1);
    case 'EC2NodeClass karpenter.k8s.aws/v1beta1':
      return rewrittenNodeClass(object as EC2NodeClassV1Beta1, options);
    case 'Provisioner karpenter.sh/v1alpha5':
      return rewrittenProvisioner(object);
    case 'AWSNodeTemplate karpenter.k8s.aws/v1alpha1':
      return rewrittenNodeTemplate(object, options);
    default:
      return { object, remarks: [] };
  }
}
