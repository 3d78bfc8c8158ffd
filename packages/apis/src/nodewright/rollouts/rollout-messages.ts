import {
  choice,
  flag,
  type Infer,
  integer,
  list,
  object,
  optional,
  rule,
  text,
  timestamp,
} from '../../schema/build.ts';
import { httpText } from './rollout-values.ts';

/** What receivers are told of, in the order in which a rollout comes to it. */
export const rolloutMessageEvents = [
  'Started',
  'WaveDone',
  'WaitingForApproval',
  'Halted',
  'Parked',
  'RolledBack',
  'Complete',
  'Stalled',
  'PinStale',
] as const;

export type RolloutMessageEvent = (typeof rolloutMessageEvents)[number];

export const notificationSchema = object(
  {
    url: optional(httpText('Where messages are posted to.')),
    format: choice(['CloudEvents', 'Slack'], { description: 'The form of a message.' }),
    secretRef: optional(
      object(
        {
          namespace: text({ minLength: 1, maxLength: 63 }),
          name: text({ minLength: 1, maxLength: 253 }),
          key: text({ minLength: 1, maxLength: 253 }),
        },
        { description: 'A key of a Secret. Beside url it holds a bearer token, without url the URL itself.' },
      ),
    ),
    events: optional(
      list(choice([...rolloutMessageEvents]), {
        description: 'What is told; all, when left out.',
        minItems: 1,
        maxItems: 9,
        listType: 'set',
      }),
    ),
  },
  {
    rules: [rule('a receiver needs url, secretRef or both', 'has(self.url) || has(self.secretRef)', 'self.format')],
  },
);

export type RolloutReceiver = Infer<typeof notificationSchema>;

export const rolloutMessageSchema = object(
  {
    id: text({ description: 'Tells it from the other messages of the rollout.' }),
    event: choice([...rolloutMessageEvents]),
    text: text({ description: 'What happened, in words.' }),
    at: timestamp({ description: 'When it was noted.' }),
    told: list(text(), { description: 'The receivers that have it, by a hash of their settings.' }),
    givenUp: optional(flag({ description: 'Whether a receiver never got it, though it was tried for a day.' })),
  },
  { description: 'What people are told of. It is kept, so that nothing is told twice on purpose.' },
);

export const receiverTroubleSchema = object(
  {
    receiver: text({ description: 'A hash of its settings.' }),
    failures: integer('int32', { description: 'How many attempts in a row have failed.' }),
    since: timestamp({ description: 'When the first of them failed.' }),
    nextAt: timestamp({ description: 'When it is tried again.' }),
    error: text({ description: 'What the last one ended with.' }),
  },
  { description: 'A receiver that cannot be told.' },
);

export type RolloutMessage = Infer<typeof rolloutMessageSchema>;
export type ReceiverTrouble = Infer<typeof receiverTroubleSchema>;
