import { choice, flag, type Infer, integer, list, object, optional, rule, text } from '../../schema/build.ts';
import { healthSchema } from './rollout-health.ts';
import { notificationSchema } from './rollout-messages.ts';
import { promotionSchema } from './rollout-promotion.ts';
import { rolloutPresetNames } from './rollout-presets.ts';
import {
  ageText,
  countOrShare,
  cronText,
  selectorSchema,
  shareText,
  timeZoneText,
  wallTimeText,
} from './rollout-values.ts';

const waveSchema = object({
  name: text({ description: 'Its name.', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
  nodes: countOrShare('How many nodes may run the new image by the end of this wave, in all.'),
  soak: optional(ageText('How long its nodes have to stay healthy, with pods.')),
  approval: optional(choice(['Automatic', 'Manual'], { description: 'Whether a person lets the wave begin.' })),
  prefer: optional(selectorSchema('Labels of nodes that go first.')),
});

const windowSchema = object({
  schedule: cronText('When the window opens.'),
  duration: ageText('How long it stays open.'),
  timeZone: optional(timeZoneText('The time zone of the schedule. Default: UTC.')),
});

const blackoutSchema = object(
  {
    from: wallTimeText('Its first second.'),
    to: wallTimeText('Its end.'),
    timeZone: optional(timeZoneText('The time zone of both. Default: UTC.')),
    reason: text({ description: 'Why.', minLength: 1, maxLength: 256 }),
  },
  { rules: [rule('a blackout ends after it begins', 'self.from < self.to', "self.from + ' to ' + self.to")] },
);

const paceSchema = object(
  {
    maxPerHour: optional(
      integer('int32', { description: 'Nodes begun in any sliding hour, over all pools and groups.', minimum: 1 }),
    ),
    minInterval: optional(ageText('The time between two nodes of one pool.')),
    maxSurge: optional(
      integer('int32', { description: 'Nodes more than without the rollout, at any time.', minimum: 1 }),
    ),
    order: optional(
      choice(['ReplaceFirst', 'TerminateFirst'], {
        description: 'TerminateFirst is for capacity without room for a replacement: one node at a time.',
      }),
    ),
    slot: optional(ageText('How long a node may take to drain before it gives its slot back.')),
  },
  { description: 'How fast nodes are replaced.' },
);

const blockedSchema = list(
  object({ after: ageText('When.'), do: choice(['Park', 'Notify', 'Force'], { description: 'What is done.' }) }),
  {
    description:
      'What is done about a node that cannot be drained. Pods are removed by force only where Force is written.',
    maxItems: 3,
    mapKeys: ['do'],
  },
);

const maxAgeSchema = object(
  {
    soft: optional(ageText('From this age on a node is replaced, in windows and at the pace of the policy.')),
    jitter: optional(ageText('Up to so much earlier, so that nodes born together do not go together.')),
    hard: optional(ageText('At this age a node goes whatever the policy says, as by expireAfter.')),
  },
  {
    description: 'How old nodes become. Absent: expireAfter of the NodePool alone counts.',
    rules: [
      rule('maxAge needs soft, hard or both', 'has(self.soft) || has(self.hard)'),
      rule(
        'maxAge.jitter is taken off maxAge.soft, which is missing',
        '!has(self.jitter) || has(self.soft)',
        'self.jitter',
      ),
    ],
  },
);

const wavesSchema = list(waveSchema, {
  description: 'The steps of a rollout. The preset has some.',
  minItems: 1,
  maxItems: 10,
  mapKeys: ['name'],
  rules: [
    rule(
      'the last wave must take all nodes: nodes: 100%',
      "type(self[self.size() - 1].nodes) == string && self[self.size() - 1].nodes == '100%'",
      "'wave ' + self[self.size() - 1].name + ' has ' + string(self[self.size() - 1].nodes)",
    ),
  ],
});

export const rolloutPolicySpecSchema = object({
  preset: optional(
    choice([...rolloutPresetNames], {
      description: 'What every absent field is: cautious, standard or fast.',
      default: 'standard',
    }),
  ),
  mode: optional(
    choice(['Automatic', 'Propose', 'Report'], {
      description:
        'Propose waits for an approval before every wave. Report publishes what it would do and does nothing.',
      default: 'Automatic',
    }),
  ),
  weight: optional(
    integer('int32', { description: 'Of several policies that select an object the heaviest governs it.', default: 0 }),
  ),
  selector: optional(
    object(
      {
        nodePools: optional(selectorSchema('Labels of NodePools.')),
        nodeGroups: optional(selectorSchema('Labels of NodeGroups.')),
      },
      {
        description: 'What the policy governs. Absent: everything.',
        rules: [
          rule(
            'selector needs nodePools, nodeGroups or both; without selector the policy governs everything',
            'has(self.nodePools) || has(self.nodeGroups)',
          ),
        ],
      },
    ),
  ),
  waves: optional(wavesSchema),
  health: optional(healthSchema),
  canaryGroup: optional(
    text({
      description: 'The managed node group that may be the first wave although it has more nodes than the wave.',
      minLength: 1,
      maxLength: 253,
    }),
  ),
  onHalt: optional(choice(['Hold', 'Rollback'], { description: 'What follows a halt.' })),
  newTarget: optional(
    choice(['FinishFirst', 'Supersede'], { description: 'What happens when a newer image is wanted meanwhile.' }),
  ),
  rollback: optional(
    object({
      windows: optional(choice(['Ignore', 'Respect'], { description: 'Whether a rollback waits for a window.' })),
    }),
  ),
  windows: optional(
    list(windowSchema, { description: 'Replacements begin in one of these only. Absent: always.', maxItems: 20 }),
  ),
  blackouts: optional(list(blackoutSchema, { description: 'No replacement begins in one of these.', maxItems: 50 })),
  pace: optional(paceSchema),
  blocked: optional(blockedSchema),
  maxAge: optional(maxAgeSchema),
  protect: optional(
    object({
      lastEndpoint: optional(
        flag({ description: 'Never drain together the nodes that hold the last ready endpoints of a Service.' }),
      ),
      unexpectedDrift: optional(
        shareText('More nodes than that drift though no spec, image or version has changed: hold and ask.'),
      ),
    }),
  ),
  finishWithin: optional(ageText('When a rollout that is not complete counts as Stalled. It never forces anything.')),
  promotion: optional(promotionSchema),
  notify: optional(list(notificationSchema, { description: 'Who is told, and how.', maxItems: 10 })),
});

export type NodeRolloutPolicySpec = Infer<typeof rolloutPolicySpecSchema>;
