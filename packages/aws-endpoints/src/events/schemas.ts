import {
  flagSchema,
  numberSchema,
  ownSchemas,
  type OwnSchemaMember as EventsMember,
  refTo,
  textListSchema,
  textSchema,
} from '../codec/own-schemas.ts';

/** The shapes of EventBridge. */
const { structure, listOf, operation } = ownSchemas('com.amazonaws.eventbridge');

const eventsOperation = (name: string, input: readonly EventsMember[], output: readonly EventsMember[]) =>
  operation(name, { input, output });

const ruleMembers: readonly EventsMember[] = [
  ['Name', textSchema],
  ['Arn', textSchema],
  ['EventPattern', textSchema],
  ['State', textSchema],
  ['Description', textSchema],
  ['EventBusName', textSchema],
];

const targets = listOf(
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
  ['FailedEntries', refTo(listOf('FailedEntryList', failedEntrySchema))],
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
    ['Rules', refTo(listOf('RuleResponseList', structure('Rule', ruleMembers)))],
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

export const PutTargets$ = eventsOperation('PutTargets', [...ofRule, ['Targets', refTo(targets)]], failures);
export const RemoveTargets$ = eventsOperation(
  'RemoveTargets',
  [...ofRule, ['Ids', textListSchema], ['Force', flagSchema]],
  failures,
);

export const ListTargetsByRule$ = eventsOperation(
  'ListTargetsByRule',
  [...ofRule, ...paged],
  [
    ['Targets', refTo(targets)],
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
  [['Entries', refTo(listOf('PutEventsRequestEntryList', entry))]],
  [
    ['FailedEntryCount', numberSchema],
    ['Entries', refTo(listOf('PutEventsResultEntryList', result))],
  ],
);
