import {
  choice,
  flag,
  type Infer,
  integer,
  list,
  object,
  openMap,
  optional,
  rule,
  text,
  timestamp,
} from '../../schema/build.ts';
import { ageText, httpText } from './rollout-values.ts';

const handling = (what: string) =>
  optional(choice(['Count', 'Ignore'], { description: `Whether ${what} counts. Default: Count.` }));

const compare = optional(
  choice(['Peers', 'Ignore'], { description: 'Compare with nodes on the old image (Peers, the default), or Ignore.' }),
);

const signalsSchema = object(
  {
    registration: optional(
      object(
        { within: optional(ageText('How long a node may take to join and to be initialized.')), when: handling('it') },
        { description: 'A node on the new image joins the cluster.' },
      ),
    ),
    nodeReady: optional(
      object(
        { for: optional(ageText('How long the node may be not Ready.')), when: handling('it') },
        { description: 'The node stays Ready.' },
      ),
    ),
    lease: optional(
      object(
        { olderThan: optional(ageText('How old the last renewal may be.')), when: handling('it') },
        { description: 'The kubelet renews its Lease.' },
      ),
    ),
    nodeConditions: optional(
      object(
        {
          types: optional(
            list(text({ minLength: 1, maxLength: 316 }), {
              description: 'Conditions that mean trouble when they become True; of ContainerRuntimeReady, False.',
              minItems: 1,
              maxItems: 30,
              listType: 'set',
            }),
          ),
          when: handling('it'),
        },
        { description: 'Conditions that agents on the node report.' },
      ),
    ),
    containerStarts: optional(
      object({ compare }, { description: 'Starts of containers that fail, against nodes on the old image.' }),
    ),
    restarts: optional(
      object({ compare }, { description: 'Pods whose containers restart, against nodes on the old image.' }),
    ),
    podsReady: optional(
      object(
        { within: optional(ageText('How long a pod may take to be Ready after it is bound.')), compare },
        { description: 'Pods that do not become Ready, against nodes on the old image.' },
      ),
    ),
  },
  { description: 'What is watched on new nodes. All are on; each one can be set to Ignore.' },
);

const checkSchema = object(
  {
    name: text({ description: 'Its name.', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
    interval: optional(ageText('How often it is asked.')),
    failures: optional(
      integer('int32', { description: 'How many failures in a row fail it.', minimum: 1, maximum: 100 }),
    ),
    prometheus: optional(
      object(
        {
          url: httpText('Where Prometheus answers.'),
          query: text({ description: 'A query whose answer is one number.', minLength: 1, maxLength: 4096 }),
          max: optional(
            text({ description: 'The largest number that passes.', maxLength: 32, pattern: numberPattern() }),
          ),
          min: optional(
            text({ description: 'The smallest number that passes.', maxLength: 32, pattern: numberPattern() }),
          ),
        },
        {
          description: 'An instant query of Prometheus.',
          rules: [rule('a query needs max, min or both', 'has(self.max) || has(self.min)', 'self.query')],
        },
      ),
    ),
    webhook: optional(
      object(
        {
          url: httpText('Where the members of the wave are posted to.'),
          timeout: optional(ageText('How long it may take.')),
        },
        { description: 'An HTTP server that gets the new nodes and answers 2xx while all is well.' },
      ),
    ),
    job: optional(
      object(
        {
          namespace: optional(
            text({ description: 'Where the Job runs. Default: default.', minLength: 1, maxLength: 63 }),
          ),
          template: openMap({
            description: 'A Job: its spec, and labels and annotations in metadata. Its pods run on the new node.',
          }),
        },
        { description: 'A Job that is run on every new node.' },
      ),
    ),
  },
  {
    rules: [
      rule(
        'a check needs exactly one of prometheus, webhook and job',
        '[has(self.prometheus), has(self.webhook), has(self.job)].filter(given, given).size() == 1',
        'self.name',
      ),
    ],
  },
);

function numberPattern(): string {
  return '^-?[0-9]+(\\.[0-9]+)?$';
}

export const checkResultSchema = object(
  {
    check: text(),
    node: optional(text({ description: 'The new node that a Job ran on. A check of all new nodes has none.' })),
    state: choice(['Pending', 'Passes', 'Fails', 'CannotBeAsked'], { description: 'The last answer.' }),
    inARow: integer('int32', { description: 'How many answers in a row were this one.' }),
    detail: text({ description: 'The answer in words, with its numbers.' }),
    at: timestamp({ description: 'When it was asked last.' }),
    run: optional(integer('int32', { description: 'The number of the last Job.' })),
    isRunning: optional(flag({ description: 'Whether the Job still runs.' })),
    isPlaced: optional(flag({ description: 'Whether a pod of that Job got onto the node.' })),
  },
  { description: 'What a check of the policy has answered.' },
);

export type CheckResult = Infer<typeof checkResultSchema>;
export type RolloutCheck = Infer<typeof checkSchema>;

export const healthSchema = object(
  {
    failureBudget: optional(
      integer('int32', {
        description: 'How many new nodes may fail before the rollout halts.',
        minimum: 0,
        maximum: 1000,
      }),
    ),
    variants: optional(
      choice(['Together', 'Independent'], {
        description: 'Whether a failure of one variant halts all, or that variant alone.',
      }),
    ),
    withoutEvidence: optional(
      choice(['Proceed', 'Wait'], { description: 'What a wave does whose nodes had too few pods to tell.' }),
    ),
    signals: optional(signalsSchema),
    checks: optional(list(checkSchema, { description: 'Checks of your own.', maxItems: 20, mapKeys: ['name'] })),
  },
  { description: 'When a new node counts as failed.' },
);
