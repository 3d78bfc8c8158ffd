import { strictConditions } from '../karpenter/v1/shared-schemas.ts';
import {
  choice,
  flag,
  type Infer,
  integer,
  list,
  mapOf,
  object,
  openMap,
  optional,
  text,
  timestamp,
} from '../schema/build.ts';

const statusCountSchema = (description: string) => integer('int32', { description });

const targetSchema = object(
  {
    image: text({ description: 'Id of the image.' }),
    name: optional(text({ description: 'Its name in EC2.' })),
    release: optional(text({ description: 'The release of EKS that it belongs to.' })),
  },
  { description: 'What the nodes are to run, by the decision about images.' },
);

const updateStatusSchema = object(
  {
    number: statusCountSchema('The updates of this group are numbered from 1.'),
    target: text({ description: 'Image or release that it leads to.' }),
    startedAt: timestamp(),
    id: optional(text({ description: 'What EKS calls it.' })),
    phase: optional(text({ description: 'How far it is.' })),
    firstNewNodeAt: optional(timestamp({ description: 'When the first node of the target was seen.' })),
    record: optional(openMap({ description: 'What the update of an Auto Scaling group has to remember.' })),
  },
  {
    description: 'The update under way. It is written before anything is done, so that any restart goes on from here.',
  },
);

const blockerSchema = object({
  reason: text({ description: 'In one word.' }),
  message: text({ description: 'For people.' }),
  since: timestamp(),
  namespace: optional(text()),
  pod: optional(text()),
  node: optional(text()),
  podDisruptionBudget: optional(text()),
});

const finishedSchema = object({
  number: statusCountSchema('Number of the update.'),
  target: text(),
  id: optional(text()),
  outcome: choice(['Successful', 'Failed', 'Cancelled']),
  startedAt: timestamp(),
  endedAt: timestamp(),
  code: optional(text({ description: 'Why it failed, in the words of EKS.' })),
  message: optional(text()),
  resourceIds: optional(list(text())),
  firstNewNodeAt: optional(timestamp({ description: 'When its first new node was seen.' })),
  reverted: optional(flag({ description: 'Whether machines of the old image came back.' })),
});

const memberSchema = object({
  id: text({ description: 'Id of the instance.' }),
  image: text({ description: 'Id of its image.' }),
  zone: text(),
  launchedAt: timestamp(),
  leaving: optional(flag({ description: 'Whether it is on its way out.' })),
});

export const nodeGroupStatusSchema = object({
  phase: optional(
    choice(['Pending', 'UpToDate', 'Outdated', 'Blocked', 'Updating', 'Failed'], {
      description: 'Where the group stands.',
    }),
  ),
  reason: optional(text({ description: 'Why it stands there, in one sentence.' })),
  target: optional(targetSchema),
  nodes: optional(
    object({
      total: statusCountSchema('Nodes of the group.'),
      updated: statusCountSchema('Those that run the target.'),
      ready: statusCountSchema('Those that are ready.'),
    }),
  ),
  instances: optional(
    list(memberSchema, { description: 'Instances of an Auto Scaling group: its nodes carry no sign of it.' }),
  ),
  update: optional(updateStatusSchema),
  blockedBy: optional(list(blockerSchema, { description: 'What stands in the way, and since when.' })),
  history: optional(list(finishedSchema, { description: 'The last updates, newest first.', maxItems: 10 })),
  observedRequest: optional(text({ description: 'The last request for an update that was seen.' })),
  imagesFirstSeen: optional(
    mapOf(timestamp(), {
      description: 'When each image was first named by a moving parameter, by image id: its age counts from then.',
    }),
  ),
  leaving: optional(
    mapOf(timestamp(), { description: 'Instances that a terminate hook of ours makes wait, and since when.' }),
  ),
  servedRequest: optional(text({ description: 'The last request for an update that was answered by one.' })),
  suspended: optional(
    list(text(), {
      description:
        'Processes of the Auto Scaling group that are held between two nodes of a rollout, and are resumed at its end.',
      maxItems: 10,
    }),
  ),
  conditions: optional(strictConditions({ mapKeys: ['type'] })),
});

export type NodeGroupStatus = Infer<typeof nodeGroupStatusSchema>;
