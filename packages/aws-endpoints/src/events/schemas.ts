import type { OperationSchema } from '../codec/shape.ts';

/**
 * The shapes of EventBridge, in the form that the SDK clients carry them in: there is no need for its client
 * otherwise. Numbers are kinds of schemas: 0 text, 1 number, 2 true or false, 64 a list of the kind added to it.
 */
type EventsMember = readonly [name: string, schema: unknown];

const eventsNamespace = 'com.amazonaws.eventbridge';
const textSchema = 0;
const numberSchema = 1;
const flagSchema = 2;
const textListSchema = 64 + textSchema;

const structure = (name: string, members: readonly EventsMember[]): unknown => [
  3,
  eventsNamespace,
  name,
  0,
  members.map(([member]) => member),
  members.map(([, schema]) => schema),
];

const listSchemaOf = (name: string, item: unknown): unknown => [1, eventsNamespace, name, 0, [() => item, 0]];
const ref = (schema: unknown): unknown => [() => schema, 0];

function eventsOperation(
  name: string,
  input: readonly EventsMember[],
  output: readonly EventsMember[],
): OperationSchema {
  const [asked, answered] = [structure(`${name}Request`, input), structure(`${name}Response`, output)];
  return [9, eventsNamespace, name, 0, () => asked, () => answered] as unknown as OperationSchema;
}

const ruleMembers: readonly EventsMember[] = [
  ['Name', textSchema],
  ['Arn', textSchema],
  ['EventPattern', textSchema],
  ['State', textSchema],
  ['Description', textSchema],
  ['EventBusName', textSchema],
];

const targets = listSchemaOf(
  'TargetList',
  structure('Target', [
    ['Id', textSchema],
    ['Arn', textSchema],
    ['Input', textSchema],
  ]),
);

const failedEntrySchema = structure('FailedEntry', [
  ['TargetId', textSchema],
  ['ErrorCode', textSchema],
  ['ErrorMessage', textSchema],
]);

const failures: readonly EventsMember[] = [
  ['FailedEntryCount', numberSchema],
  ['FailedEntries', ref(listSchemaOf('FailedEntryList', failedEntrySchema))],
];

const paged: readonly EventsMember[] = [
  ['NextToken', textSchema],
  ['Limit', numberSchema],
];

const ofRule: readonly EventsMember[] = [
  ['Rule', textSchema],
  ['EventBusName', textSchema],
];

export const PutRule$ = eventsOperation(
  'PutRule',
  [...ruleMembers, ['ScheduleExpression', textSchema]],
  [['RuleArn', textSchema]],
);

export const DescribeRule$ = eventsOperation(
  'DescribeRule',
  [
    ['Name', textSchema],
    ['EventBusName', textSchema],
  ],
  ruleMembers,
);

export const ListRules$ = eventsOperation(
  'ListRules',
  [['NamePrefix', textSchema], ['EventBusName', textSchema], ...paged],
  [
    ['Rules', ref(listSchemaOf('RuleResponseList', structure('Rule', ruleMembers)))],
    ['NextToken', textSchema],
  ],
);

const byNameMembers: readonly EventsMember[] = [
  ['Name', textSchema],
  ['EventBusName', textSchema],
];

export const EnableRule$ = eventsOperation('EnableRule', byNameMembers, []);
export const DisableRule$ = eventsOperation('DisableRule', byNameMembers, []);
export const DeleteRule$ = eventsOperation('DeleteRule', [...byNameMembers, ['Force', flagSchema]], []);

export const PutTargets$ = eventsOperation('PutTargets', [...ofRule, ['Targets', ref(targets)]], failures);
export const RemoveTargets$ = eventsOperation(
  'RemoveTargets',
  [...ofRule, ['Ids', textListSchema], ['Force', flagSchema]],
  failures,
);

export const ListTargetsByRule$ = eventsOperation(
  'ListTargetsByRule',
  [...ofRule, ...paged],
  [
    ['Targets', ref(targets)],
    ['NextToken', textSchema],
  ],
);

export const ListRuleNamesByTarget$ = eventsOperation(
  'ListRuleNamesByTarget',
  [['TargetArn', textSchema], ['EventBusName', textSchema], ...paged],
  [
    ['RuleNames', textListSchema],
    ['NextToken', textSchema],
  ],
);

const entry = structure('PutEventsRequestEntry', [
  ['Source', textSchema],
  ['DetailType', textSchema],
  ['Detail', textSchema],
  ['Resources', textListSchema],
  ['EventBusName', textSchema],
]);

const result = structure('PutEventsResultEntry', [
  ['EventId', textSchema],
  ['ErrorCode', textSchema],
  ['ErrorMessage', textSchema],
]);

export const PutEvents$ = eventsOperation(
  'PutEvents',
  [['Entries', ref(listSchemaOf('PutEventsRequestEntryList', entry))]],
  [
    ['FailedEntryCount', numberSchema],
    ['Entries', ref(listSchemaOf('PutEventsResultEntryList', result))],
  ],
);
