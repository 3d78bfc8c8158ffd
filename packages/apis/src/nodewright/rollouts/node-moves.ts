import { choice, flag, integer, object, optional, text, timestamp } from '../../schema/build.ts';

/** A node that was let go and is not gone yet. */
export const admittedNodeSchema = object({
  node: text({ description: 'The node, or the managed node group that moves as a whole.' }),
  object: text({ description: 'NodePool/NAME or NodeGroup/NAME.' }),
  variant: text(),
  reason: choice(['Image', 'Rollback', 'Drift', 'Age'], { description: 'Why it goes.' }),
  rollout: optional(text({ description: 'The rollout that it goes for.' })),
  at: timestamp(),
  claims: integer('int32', { description: 'How many new nodes its replacement takes.' }),
});

/** A node that cannot be drained: it is schedulable again and waits. */
export const parkedNodeSchema = object({
  node: text(),
  nodeName: optional(text({ description: 'Name of its Node.' })),
  object: text({ description: 'NodePool/NAME or NodeGroup/NAME.' }),
  rollout: optional(text()),
  since: timestamp({ description: 'When it was parked last.' }),
  firstAt: timestamp({ description: 'When it was let go for the first time.' }),
  pod: optional(
    text({ description: 'The pod that cannot leave; absent where the node itself has karpenter.sh/do-not-disrupt.' }),
  ),
  podDisruptionBudget: optional(
    text({ description: 'The budget that keeps the pod; absent where karpenter.sh/do-not-disrupt does.' }),
  ),
  notified: optional(flag({ description: 'Whether people were told.' })),
});
