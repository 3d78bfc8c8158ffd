import { strictConditions } from '../../karpenter/v1/shared-schemas.ts';
import { type Infer, integer, list, object, optional, text, timestamp } from '../../schema/build.ts';
import { admittedNodeSchema, parkedNodeSchema } from './node-moves.ts';
import { receiverTroubleSchema, rolloutMessageSchema } from './rollout-messages.ts';
import { imageHoldSchema, imageSetSchema } from './variant-image.ts';

const governedCount = (description: string) => integer('int32', { description });

const vcpuRoomSchema = object({
  code: text({ description: 'Code of the limit in Service Quotas.' }),
  name: text(),
  limit: integer('int32', { description: 'vCPUs that the account may run.' }),
  free: integer('int32', { description: 'vCPUs that are left.' }),
  counted: list(object({ instanceType: text(), capacityType: text() }), {
    description: 'The nodes that count against it.',
    maxItems: 2_000,
  }),
});

/** A limit of the account on running instances, what is left of it, and the nodes of the cluster that count against it. */
export type VcpuRoom = Infer<typeof vcpuRoomSchema>;

export const rolloutPolicyStatusSchema = object({
  observedGeneration: optional(integer('int64', { description: 'The generation that the status is about.' })),
  rollout: optional(text({ description: 'The rollout under way.' })),
  lastNumber: optional(integer('int32', { description: 'The number of the last rollout.' })),
  governed: optional(
    object(
      {
        nodePools: governedCount('NodePools.'),
        nodeGroups: governedCount('NodeGroups.'),
        nodes: governedCount('Their nodes.'),
      },
      { description: 'How many objects the policy governs.' },
    ),
  ),
  baseline: optional(imageSetSchema('The images that are proven.')),
  history: optional(
    list(
      object({
        endedAt: timestamp(),
        rollout: optional(text()),
        images: imageSetSchema('The images that were proven then.'),
      }),
      {
        description: 'Earlier baselines, newest first.',
        maxItems: 5,
      },
    ),
  ),
  begun: optional(
    list(object({ at: timestamp(), object: text(), node: text() }), {
      description: 'Replacements begun in the last hour. The pace is counted from them, over restarts.',
    }),
  ),
  admitted: optional(list(admittedNodeSchema, { description: 'Nodes that were let go and are not gone yet.' })),
  parked: optional(list(parkedNodeSchema, { description: 'Nodes that cannot be drained.' })),
  heldImages: optional(
    list(imageHoldSchema, { description: 'Images that are wanted, and that no rollout leads to yet.', maxItems: 500 }),
  ),
  room: optional(
    list(
      object({
        source: text({ description: 'EC2NodeClass/NAME.' }),
        freeAddresses: integer('int32', { description: 'Addresses that its subnets have left.' }),
      }),
      { description: 'What is left where it keeps nodes from being replaced now.', maxItems: 500 },
    ),
  ),
  quotas: optional(
    list(vcpuRoomSchema, {
      description: 'Limits of the account that keep nodes from being replaced now.',
      maxItems: 50,
    }),
  ),
  messages: optional(
    list(rolloutMessageSchema, { description: 'What receivers are told of the policy.', maxItems: 50 }),
  ),
  receiverTroubles: optional(list(receiverTroubleSchema, { description: 'Receivers that cannot be told.' })),
  steadyState: optional(
    text({
      description: 'A hash of specs, images and version when few nodes drifted: drift is unexpected while it stays.',
    }),
  ),
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
});

export type NodeRolloutPolicyStatus = Infer<typeof rolloutPolicyStatusSchema>;
