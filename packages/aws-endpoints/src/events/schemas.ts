import {
  flagSchema,
  numberSchema,
  ownSchemas,
  type OwnSchemaMember as EventsMember,
  refTo,
  textListSchema,
  stringSchema,
} from '../codec/own-schemas.ts';

/** The shapes of EventBridge. */
const { structure, listOf, operation } = ownSchemas('com.amazonaws.eventbridge');

const eventsOperation = (name: string, input: readonly EventsMember[], output: readonly EventsMember[]) =>
  operation(name, { input, output });

const ruleMembers: readonly EventsMember[] = [
  ['Name', stringSchema],
  ['Arn', stringSchema],
  ['EventPattern', stringSchema],
  ['State', stringSchema],
  ['Description', stringSchema],
  ['EventBusName', stringSchema],
];

const targets = listOf(
  'TargetList',
  structure('Target', [
    ['Id', stringSchema],
    ['Arn', stringSchema],
    ['Input', stringSchema],
    ['InputPath', stringSchema],
    ['InputTransformer', refTo(structure('InputTransformer', [['InputTemplate', stringSchema]]))],
  ]),
);

const failedEntrySchema = structure('FailedEntry', [
  ['TargetId', stringSchema],
  ['ErrorCode', stringSchema],
  ['ErrorMessage', stringSchema],
]);

const failures: readonly EventsMember[] = [
  ['FailedEntryCount', numberSchema],
  ['FailedEntries', refTo(listOf('FailedEntryList', failedEntrySchema))],
];

const paged: readonly EventsMember[] = [
  ['NextToken', stringSchema],
  ['Limit', numberSchema],
];

const ofRule: readonly EventsMember[] = [
  ['Rule', stringSchema],
  ['EventBusName', stringSchema],
];

export const PutRule$ = eventsOperation(
  'PutRule',
  [...ruleMembers, ['ScheduleExpression', stringSchema]],
  [['RuleArn', stringSchema]],
);

export const DescribeRule$ = eventsOperation(
  'DescribeRule',
  [
    ['Name', stringSchema],
    ['EventBusName', stringSchema],
  ],
  ruleMembers,
);

export const ListRules$ = eventsOperation(
  'ListRules',
  [['NamePrefix', stringSchema], ['EventBusName', stringSchema], ...paged],
  [
    ['Rules', refTo(listOf('RuleResponseList', structure('Rule', ruleMembers)))],
    ['NextToken', stringSchema],
  ],
);

const byNameMembers: readonly EventsMember[] = [
  ['Name', stringSchema],
  ['EventBusName', stringSchema],
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
    ['NextToken', stringSchema],
  ],
);

export const ListRuleNamesByTarget$ = eventsOperation(
  'ListRuleNamesByTarget',
  [['TargetArn', stringSchema], ['EventBusName', stringSchema], ...paged],
  [
    ['RuleNames', textListSchema],
    ['NextToken', stringSchema],
  ],
);

const entry = structure('PutEventsRequestEntry', [
  ['Source', stringSchema],
  ['DetailType', stringSchema],
  ['Detail', stringSchema],
  ['Resources', textListSchema],
  ['EventBusName', stringSchema],
]);

const result = structure('PutEventsResultEntry', [
  ['EventId', stringSchema],
  ['ErrorCode', stringSchema],
  ['ErrorMessage', stringSchema],
]);

export const PutEvents$ = eventsOperation(
  'PutEvents',
  [['Entries', refTo(listOf('PutEventsRequestEntryList', entry))]],
  [
    ['FailedEntryCount', numberSchema],
    ['Entries', refTo(listOf('PutEventsResultEntryList', result))],
  ],
);
