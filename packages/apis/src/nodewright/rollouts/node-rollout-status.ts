import { parkedNodeSchema } from './node-moves.ts';
import { checkResultSchema } from './rollout-health.ts';
import { receiverTroubleSchema, rolloutMessageSchema } from './rollout-messages.ts';
import { rolloutRequestKinds } from './rollout-requests.ts';
import { strictConditions } from '../../karpenter/v1/shared-schemas.ts';
import { choice, flag, type Infer, integer, list, object, optional, text, timestamp } from '../../schema/build.ts';

const nodeCount = (description: string) => integer('int32', { description });
const secondsCount = (description: string) => integer('int64', { description });

const waveStatusSchema = object({
  name: text(),
  seats: nodeCount('How many nodes may run the new image by its end.'),
  taken: nodeCount('How many do, or are about to.'),
  healthy: nodeCount('Those that are healthy.'),
  failed: nodeCount('Those that failed.'),
  startedAt: optional(timestamp()),
  approvedAt: optional(timestamp()),
  soakedUntil: optional(timestamp({ description: 'When the soak ends if all goes well.' })),
  endedAt: optional(timestamp()),
  outcome: optional(
    choice(['Proven', 'NoEvidence', 'InsufficientEvidence', 'Skipped'], { description: 'How it ended.' }),
  ),
});

const seatStatusSchema = object(
  {
    seat: integer('int32', { description: 'Number of the seat in the wave, from 1.' }),
    variant: text(),
    member: optional(text({ description: 'The node that sits in it.' })),
    soakedSeconds: secondsCount('Healthy time with pods before `since`.'),
    since: optional(timestamp({ description: 'Since when it is healthy with pods.' })),
    emptySince: optional(timestamp({ description: 'Since when it runs no pods.' })),
    result: optional(choice(['Proven', 'Waived'])),
  },
  { description: 'One seat of the wave under way.' },
);

const failureSchema = object({
  node: text({
    description:
      'NodeClaim of the node, or id of the instance of a group; `*` for all new nodes of the variant together.',
  }),
  nodeName: optional(text({ description: 'Name of its Node; absent where it never joined.' })),
  variant: text(),
  signal: text(),
  evidence: text({ description: 'In numbers, for people.' }),
  at: timestamp(),
  forgiven: optional(flag({ description: 'Whether a person resumed the rollout after it.' })),
});

const haltSchema = object(
  {
    at: timestamp(),
    reason: choice([
      'FailureBudgetExceeded',
      'WorseThanPeers',
      'CheckFailed',
      'Requested',
      'TargetBlocked',
      'TargetWithdrawn',
      'HaltedUpstream',
    ]),
    message: text(),
    variants: list(text(), { description: 'The variants that are halted.' }),
    rules: list(text(), { description: 'The ImageRules that keep the image out.' }),
    areRulesWritten: optional(flag({ description: 'Whether all of them were seen.' })),
  },
  { description: 'It is stored before anything else is done, so that no restart resumes by mistake.' },
);

const countersSchema = (description: string) =>
  object(
    {
      starts: nodeCount('Starts of pods.'),
      failedStarts: nodeCount('Those that failed.'),
      podSeconds: secondsCount('Time of pods.'),
      restartedPods: nodeCount('Pods whose containers restarted.'),
      duePods: nodeCount('Pods that had time to become Ready.'),
      unreadyPods: nodeCount('Those that did not.'),
    },
    { description },
  );

const evidenceSchema = object({
  variant: text(),
  members: countersSchema('New nodes.'),
  peers: countersSchema('Nodes on the old image.'),
  summary: text({ description: 'The same in words.' }),
});

const lookSchema = object(
  {
    variant: text(),
    signal: text(),
    looks: nodeCount('How often it was compared.'),
    starts: secondsCount('Exposure at the last look.'),
    events: optional(secondsCount('Failures at the last look.')),
  },
  { description: 'Comparisons that were made: each one spends a part of the allowed error.' },
);

const logEntrySchema = object({
  request: choice([...rolloutRequestKinds]),
  value: text(),
  by: text({ description: 'The field manager that claims to have written it.' }),
  at: timestamp(),
  answer: text({ description: 'What came of it.' }),
  refused: optional(flag({ description: 'Whether nothing came of it.' })),
});

export const nodeRolloutStates = [
  'Pending',
  'WaitingForApproval',
  'WaitingForWindow',
  'Paused',
  'Progressing',
  'Soaking',
  'Halted',
  'Stalled',
  'Superseded',
  'Complete',
] as const;

export const nodeRolloutStatusSchema = object({
  observedGeneration: optional(integer('int64', { description: 'The generation that the status is about.' })),
  state: optional(choice([...nodeRolloutStates], { description: 'Where it stands, in one word.' })),
  target: optional(text({ description: 'The releases that it leads to, or the images where they have none.' })),
  wave: optional(text({ description: 'The wave under way.' })),
  startedAt: optional(timestamp()),
  endedAt: optional(timestamp()),
  waves: optional(list(waveStatusSchema, { description: 'All waves.', maxItems: 10 })),
  seats: optional(list(seatStatusSchema, { description: 'Seats of the wave under way.' })),
  total: optional(nodeCount('Governed nodes.')),
  updated: optional(nodeCount('Those that run the new image.')),
  ready: optional(nodeCount('Those of them that are ready.')),
  failed: optional(nodeCount('New nodes that failed.')),
  remaining: optional(nodeCount('Nodes that still have to move.')),
  failures: optional(list(failureSchema, { description: 'New nodes that failed, each one once.', maxItems: 100 })),
  halted: optional(haltSchema),
  lifted: optional(
    list(text(), { description: 'ImageRules of an earlier halt that are deleted since a person resumed.' }),
  ),
  parked: optional(list(parkedNodeSchema, { description: 'Nodes that cannot be drained.' })),
  evidence: optional(list(evidenceSchema, { description: 'What is known of each variant.' })),
  looks: optional(list(lookSchema, { description: 'Comparisons that were made.' })),
  log: optional(list(logEntrySchema, { description: 'Requests of people, newest last.', maxItems: 50 })),
  checks: optional(list(checkResultSchema, { description: 'What checks of the policy have answered.' })),
  messages: optional(list(rolloutMessageSchema, { description: 'What receivers are told of.', maxItems: 100 })),
  receiverTroubles: optional(
    list(receiverTroubleSchema, { description: 'Receivers that cannot be told at the moment.', maxItems: 10 }),
  ),
  nextChangeAt: optional(timestamp({ description: 'When time alone changes something next.' })),
  expectedEnd: optional(timestamp({ description: 'When it ends if nothing comes between.' })),
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
});

export type NodeRolloutStatus = Infer<typeof nodeRolloutStatusSchema>;
