import type { Instant, NodeRolloutPolicy, NodeRolloutPolicyStatus } from '@nodewright/apis';
import { assignPolicies, type GovernableObject, governedId } from './governance.ts';
import { policyConditions } from './policy-conditions.ts';
import { resolveRolloutSettings } from './settings.ts';

export type PolicyQuestion = {
  readonly policy: NodeRolloutPolicy;
  readonly policies: readonly NodeRolloutPolicy[];
  readonly objects: readonly (GovernableObject & { readonly nodes: number })[];
  readonly now: Instant;
};

/** What a policy governs, and whether it can be read: the status that people look at before the first rollout. */
export function reportPolicy({ policy, policies, objects, now }: PolicyQuestion): NodeRolloutPolicyStatus {
  const standing = policies.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const { policyOf, remarks } = assignPolicies(standing, objects);
  const own = objects.filter((object) => policyOf.get(governedId(object)) === policy.metadata.name);
  const settings = resolveRolloutSettings(policy.spec);
  const { generation } = policy.metadata;
  return {
    ...policy.status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    governed: {
      nodePools: own.filter(({ kind }) => kind === 'NodePool').length,
      nodeGroups: own.filter(({ kind }) => kind === 'NodeGroup').length,
      nodes: own.reduce((sum, { nodes }) => sum + nodes, 0),
    },
    conditions: [...policyConditions({ policy, settings, governed: own.length, remarks, now })],
  };
}
