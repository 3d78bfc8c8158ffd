import type { OperationSchema } from '../codec/shape.ts';

/**
 * The shapes of EventBridge, in the form that the SDK clients carry them in: there is no need for its client
 * otherwise. Numbers are kinds of schemas: 0 text, 1 number, 2 true or false, 64 a list of the kind added to it.
 */
type Member = readonly [name: string, schema: unknown];

const namespace = 'com.amazonaws.eventbridge';
const text = 0;
const number = 1;
const flag = 2;
const texts = 64 + text;

const structure = (name: string, members: readonly Member[]): unknown => [
  3,
  namespace,
  name,
  0,
  members.map(([member]) => member),
  members.map(([, schema]) => schema),
];

const listOf = (name: string, item: unknown): unknown => [1, namespace, name, 0, [() => item, 0]];
const ref = (schema: unknown): unknown => [() => schema, 0];

function operation(name: string, input: readonly Member[], output: readonly Member[]): OperationSchema {
  const [asked, answered] = [structure(`${name}Request`, input), structure(`${name}Response`, output)];
  return [9, namespace, name, 0, () => asked, () => answered] as unknown as OperationSchema;
}

const ruleMembers: readonly Member[] = [
  ['Name', text],
  ['Arn', text],
  ['EventPattern', text],
  ['State', text],
  ['Description', text],
  ['EventBusName', text],
];

const targets = listOf(
  'TargetList',
  structure('Target', [
    ['Id', text],
    ['Arn', text],
    ['Input', text],
  ]),
);

const failure = structure('FailedEntry', [
  ['TargetId', text],
  ['ErrorCode', text],
  ['ErrorMessage', text],
]);

const failures: readonly Member[] = [
  ['FailedEntryCount', number],
  ['FailedEntries', ref(listOf('FailedEntryList', failure))],
];

const paged: readonly Member[] = [
  ['NextToken', text],
  ['Limit', number],
];

const ofRule: readonly Member[] = [
  ['Rule', text],
  ['EventBusName', text],
];

export const PutRule$ = operation('PutRule', [...ruleMembers, ['ScheduleExpression', text]], [['RuleArn', text]]);

export const DescribeRule$ = operation(
  'DescribeRule',
  [
    ['Name', text],
    ['EventBusName', text],
  ],
  ruleMembers,
);

export const ListRules$ = operation(
  'ListRules',
  [['NamePrefix', text], ['EventBusName', text], ...paged],
  [
    ['Rules', ref(listOf('RuleResponseList', structure('Rule', ruleMembers)))],
    ['NextToken', text],
  ],
);

const byName: readonly Member[] = [
  ['Name', text],
  ['EventBusName', text],
];

export const EnableRule$ = operation('EnableRule', byName, []);
export const DisableRule$ = operation('DisableRule', byName, []);
export const DeleteRule$ = operation('DeleteRule', [...byName, ['Force', flag]], []);

export const PutTargets$ = operation('PutTargets', [...ofRule, ['Targets', ref(targets)]], failures);
export const RemoveTargets$ = operation('RemoveTargets', [...ofRule, ['Ids', texts], ['Force', flag]], failures);

export const ListTargetsByRule$ = operation(
  'ListTargetsByRule',
  [...ofRule, ...paged],
  [
    ['Targets', ref(targets)],
    ['NextToken', text],
  ],
);

export const ListRuleNamesByTarget$ = operation(
  'ListRuleNamesByTarget',
  [['TargetArn', text], ['EventBusName', text], ...paged],
  [
    ['RuleNames', texts],
    ['NextToken', text],
  ],
);

const entry = structure('PutEventsRequestEntry', [
  ['Source', text],
  ['DetailType', text],
  ['Detail', text],
  ['Resources', texts],
  ['EventBusName', text],
]);

const result = structure('PutEventsResultEntry', [
  ['EventId', text],
  ['ErrorCode', text],
  ['ErrorMessage', text],
]);

export const PutEvents$ = operation(
  'PutEvents',
  [['Entries', ref(listOf('PutEventsRequestEntryList', entry))]],
  [
    ['FailedEntryCount', number],
    ['Entries', ref(listOf('PutEventsResultEntryList', result))],
  ],
);
