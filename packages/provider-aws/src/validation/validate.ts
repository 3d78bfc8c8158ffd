import type { EC2NodeClass } from '@nodewright/apis';
import type { NodeClassPort } from '@nodewright/ports';
import type { Cluster } from '../control-plane/cluster.ts';
import { familyOf } from '../instance-types/kubelet-settings.ts';
import { forbiddenTag } from '../tags.ts';

type Verdict = Awaited<ReturnType<NodeClassPort['validate']>>;

/** What would make a launch fail, as far as it can be told without one. */
export async function validate(nodeClass: EC2NodeClass, cluster: Cluster, signal: AbortSignal): Promise<Verdict> {
  const tag = forbiddenTag(nodeClass);
  if (tag !== undefined) {
    return invalid('TagValidationFailed', `tag ${tag} is set by the controller; take it out of spec.tags`);
  }
  if (familyOf(nodeClass) !== 'AL2023') return { kind: 'valid' };
  const { serviceCidr } = await cluster.access(signal);
  return serviceCidr === undefined
    ? invalid('ClusterCIDRResolutionFailed', 'EKS does not tell the service CIDR of the cluster')
    : { kind: 'valid' };
}

const invalid = (reason: string, message: string): Verdict => ({ kind: 'invalid', reason, message });
