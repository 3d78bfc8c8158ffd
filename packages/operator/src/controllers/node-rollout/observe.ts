import { type NodeRolloutPolicy, selectableLabels } from '@nodewright/apis';
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
      ...pools.map((pool) => ({
        kind: 'NodePool' as const,
        name: pool.metadata.name,
        labels: selectableLabels(pool),
        nodeClass: pool.spec.template.spec.nodeClassRef.name,
        nodes: objects.nodeClaims.by('nodePool', pool.metadata.name).length,
      })),
      ...objects.nodeGroups.list().map((group) => ({
        kind: 'NodeGroup' as const,
        name: group.metadata.name,
        labels: selectableLabels(group),
        nodes: group.status?.nodes?.total ?? 0,
      })),
    ],
  };
}
