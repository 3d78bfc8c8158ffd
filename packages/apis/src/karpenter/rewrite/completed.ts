import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { EC2NodeClass } from '../types.ts';

/** A node class with the role and the discovery tags that guides give to a cluster, where it leaves them out. */
export function completeManifest(object: KubernetesObject, clusterName: string | undefined): KubernetesObject {
  if (object.kind !== 'EC2NodeClass' || clusterName === undefined) return object;
  const { spec, ...rest } = object as EC2NodeClass;
  const discovered = [{ tags: { 'karpenter.sh/discovery': clusterName } }];
  const { subnetSelectorTerms = discovered, securityGroupSelectorTerms = discovered } = spec as Partial<typeof spec>;
  const role = hasProfile(spec) ? {} : { role: `KarpenterNodeRole-${clusterName}` };
  const nodeClass: EC2NodeClass = {
    ...rest,
    spec: { ...spec, ...role, subnetSelectorTerms, securityGroupSelectorTerms },
  };
  return nodeClass;
}

/** What has to be added by hand before an API server takes the object; each with the reason. */
export function stillMissing(object: KubernetesObject, fields: readonly string[]): readonly string[] {
  const needsProfile = object.kind === 'EC2NodeClass' && !hasProfile((object as EC2NodeClass).spec);
  const all = needsProfile ? [...fields, 'spec.role or spec.instanceProfile'] : fields;
  const hint = object.kind === 'EC2NodeClass' ? ', or let --cluster-name fill it in' : '';
  return all.map((field) => `${field} is missing: v1 requires it; add it before you apply this${hint}`);
}

const hasProfile = ({ role, instanceProfile }: EC2NodeClass['spec']): boolean =>
  role !== undefined || instanceProfile !== undefined;
