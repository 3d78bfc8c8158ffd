import type { NodeRollout, RolloutCheck } from '@nodewright/apis';
import type { CheckedMember } from './due-checks.ts';

/** What a webhook is asked with: the rollout and its new nodes. */
export const buildWebhookBody = (
  { metadata, spec, status }: NodeRollout,
  {
    check,
    members,
    cluster,
  }: { readonly check: RolloutCheck; readonly members: readonly CheckedMember[]; readonly cluster: string },
): string =>
  JSON.stringify({
    cluster,
    check: check.name,
    policy: spec.policy,
    rollout: metadata.name,
    wave: status?.wave,
    from: spec.from,
    to: spec.to,
    members: members.map(({ name, node, nodePool, variant, image }) => ({
      nodeClaim: name,
      node,
      nodePool,
      variant,
      image,
    })),
  });
