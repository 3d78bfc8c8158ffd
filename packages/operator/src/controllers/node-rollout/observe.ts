import type { NodeRolloutPolicy } from '@nodewright/apis';
import type { GovernableObject } from '@nodewright/engine';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';

export type RolloutPolicySnapshot = {
  readonly policy: NodeRolloutPolicy;
  readonly policies: readonly NodeRolloutPolicy[];
  readonly objects: readonly (GovernableObject & { readonly nodes: number })[];
};

/** The policy, the others, and what they may govern; `undefined` when the policy is gone. */
export function observeRolloutPolicy(objects: Objects, name: string): RolloutPolicySnapshot | undefined {
  const policy = objects.rolloutPolicies.get(name);
  if (policy === undefined) return undefined;
  const pools = objects.nodePools.list().filter(({ spec }) => isManagedNodeClass(spec.template.spec.nodeClassRef));
  return {
    policy,
    policies: objects.rolloutPolicies.list(),
    objects: [
      ...pools.map(({ metadata, spec }) => ({
        kind: 'NodePool' as const,
        name: metadata.name,
        labels: metadata.labels ?? {},
        nodeClass: spec.template.spec.nodeClassRef.name,
        nodes: objects.nodeClaims.by('nodePool', metadata.name).length,
      })),
      ...objects.nodeGroups.list().map(({ metadata, status }) => ({
        kind: 'NodeGroup' as const,
        name: metadata.name,
        labels: metadata.labels ?? {},
        nodes: status?.nodes?.total ?? 0,
      })),
    ],
  };
}
