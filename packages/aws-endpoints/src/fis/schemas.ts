import {
  inPath,
  inQuery,
  numberSchema,
  ownSchemas,
  type OwnSchemaMember,
  refTo,
  textListSchema,
  textMapSchema,
  stringSchema,
  timeSchema,
} from '../codec/own-schemas.ts';

/** The shapes of the Fault Injection Service, as far as the sandbox serves it. */
const { structure, listOf, mapOf, operation } = ownSchemas('com.amazonaws.fis');

const stopConditions = listOf(
  'StopConditionList',
  structure('CreateExperimentTemplateStopConditionInput', [
    ['source', stringSchema],
    ['value', stringSchema],
  ]),
);

const targetFilters = listOf(
  'TargetFilterList',
  structure('ExperimentTemplateTargetInputFilter', [
    ['path', stringSchema],
    ['values', textListSchema],
  ]),
);

const targetMap = mapOf(
  'TargetMap',
  structure('CreateExperimentTemplateTargetInput', [
    ['resourceType', stringSchema],
    ['resourceArns', textListSchema],
    ['resourceTags', textMapSchema],
    ['filters', refTo(targetFilters)],
    ['selectionMode', stringSchema],
    ['parameters', textMapSchema],
  ]),
);

const actionMembers: readonly OwnSchemaMember[] = [
  ['actionId', stringSchema],
  ['description', stringSchema],
  ['parameters', textMapSchema],
  ['targets', textMapSchema],
  ['startAfter', textListSchema],
];

const templateActions = mapOf('ActionMap', structure('CreateExperimentTemplateActionInput', actionMembers));

const stateSchema = structure('State', [
  ['status', stringSchema],
  ['reason', stringSchema],
]);

const experimentActions = mapOf(
  'ExperimentActionMap',
  structure('ExperimentAction', [
    ...actionMembers,
    ['state', refTo(stateSchema)],
    ['startTime', timeSchema],
    ['endTime', timeSchema],
  ]),
);

const optionsSchema = structure('CreateExperimentTemplateExperimentOptionsInput', [
  ['accountTargeting', stringSchema],
  ['emptyTargetResolutionMode', stringSchema],
  ['actionsMode', stringSchema],
]);

const logConfiguration = structure('CreateExperimentTemplateLogConfigurationInput', [
  [
    'cloudWatchLogsConfiguration',
    refTo(structure('ExperimentTemplateCloudWatchLogsLogConfigurationInput', [['logGroupArn', stringSchema]])),
  ],
  [
    's3Configuration',
    refTo(
      structure('ExperimentTemplateS3LogConfigurationInput', [
        ['bucketName', stringSchema],
        ['prefix', stringSchema],
      ]),
    ),
  ],
  ['logSchemaVersion', numberSchema],
]);

const planMembers: readonly OwnSchemaMember[] = [
  ['stopConditions', refTo(stopConditions)],
  ['targets', refTo(targetMap)],
  ['roleArn', stringSchema],
  ['experimentOptions', refTo(optionsSchema)],
  ['logConfiguration', refTo(logConfiguration)],
];

const templateSummaryMembers: readonly OwnSchemaMember[] = [
  ['id', stringSchema],
  ['arn', stringSchema],
  ['description', stringSchema],
  ['creationTime', timeSchema],
  ['lastUpdateTime', timeSchema],
  ['tags', textMapSchema],
];

const template = structure('ExperimentTemplate', [
  ...templateSummaryMembers,
  ...planMembers,
  ['actions', refTo(templateActions)],
  ['targetAccountConfigurationsCount', numberSchema],
]);

const experimentSummaryMembers: readonly OwnSchemaMember[] = [
  ['id', stringSchema],
  ['arn', stringSchema],
  ['experimentTemplateId', stringSchema],
  ['state', refTo(stateSchema)],
  ['creationTime', timeSchema],
  ['tags', textMapSchema],
];

const experiment = structure('Experiment', [
  ...experimentSummaryMembers,
  ...planMembers,
  ['actions', refTo(experimentActions)],
  ['startTime', timeSchema],
  ['endTime', timeSchema],
  ['targetAccountConfigurationsCount', numberSchema],
]);

const resolvedTargets = listOf(
  'ResolvedTargetList',
  structure('ResolvedTarget', [
    ['resourceType', stringSchema],
    ['targetName', stringSchema],
    ['targetInformation', textMapSchema],
  ]),
);

const actionTargets = mapOf('ActionTargetMap', structure('ActionTarget', [['resourceType', stringSchema]]));

const actionSummary = structure('ActionSummary', [
  ['id', stringSchema],
  ['arn', stringSchema],
  ['description', stringSchema],
  ['targets', refTo(actionTargets)],
]);

const id: OwnSchemaMember = ['id', inPath(stringSchema)];
const nextToken: OwnSchemaMember = ['nextToken', stringSchema];
const pageMembers: readonly OwnSchemaMember[] = [
  ['maxResults', inQuery(numberSchema, 'maxResults')],
  ['nextToken', inQuery(stringSchema, 'nextToken')],
];
const templateOutput: readonly OwnSchemaMember[] = [['experimentTemplate', refTo(template)]];
const experimentOutput: readonly OwnSchemaMember[] = [['experiment', refTo(experiment)]];

const templateInputMembers: readonly OwnSchemaMember[] = [
  ['description', stringSchema],
  ...planMembers,
  ['actions', refTo(templateActions)],
];

export const CreateExperimentTemplate$ = operation(
  'CreateExperimentTemplate',
  { input: [['clientToken', stringSchema], ...templateInputMembers, ['tags', textMapSchema]], output: templateOutput },
  ['POST', '/experimentTemplates'],
);

export const UpdateExperimentTemplate$ = operation(
  'UpdateExperimentTemplate',
  { input: [id, ...templateInputMembers], output: templateOutput },
  ['PATCH', '/experimentTemplates/{id}'],
);

export const GetExperimentTemplate$ = operation('GetExperimentTemplate', { input: [id], output: templateOutput }, [
  'GET',
  '/experimentTemplates/{id}',
]);

export const DeleteExperimentTemplate$ = operation(
  'DeleteExperimentTemplate',
  { input: [id], output: templateOutput },
  ['DELETE', '/experimentTemplates/{id}'],
);

export const ListExperimentTemplates$ = operation(
  'ListExperimentTemplates',
  {
    input: pageMembers,
    output: [
      ['experimentTemplates', refTo(listOf('TemplateList', structure('TemplateSummary', templateSummaryMembers)))],
      nextToken,
    ],
  },
  ['GET', '/experimentTemplates'],
);

export const StartExperiment$ = operation(
  'StartExperiment',
  {
    input: [
      ['clientToken', stringSchema],
      ['experimentTemplateId', stringSchema],
      ['experimentOptions', refTo(optionsSchema)],
      ['tags', textMapSchema],
    ],
    output: experimentOutput,
  },
  ['POST', '/experiments'],
);

export const StopExperiment$ = operation('StopExperiment', { input: [id], output: experimentOutput }, [
  'DELETE',
  '/experiments/{id}',
]);

export const GetExperiment$ = operation('GetExperiment', { input: [id], output: experimentOutput }, [
  'GET',
  '/experiments/{id}',
]);

export const ListExperiments$ = operation(
  'ListExperiments',
  {
    input: [...pageMembers, ['experimentTemplateId', inQuery(stringSchema, 'experimentTemplateId')]],
    output: [
      ['experiments', refTo(listOf('ExperimentList', structure('ExperimentSummary', experimentSummaryMembers)))],
      nextToken,
    ],
  },
  ['GET', '/experiments'],
);

export const ListExperimentResolvedTargets$ = operation(
  'ListExperimentResolvedTargets',
  {
    input: [
      ['experimentId', inPath(stringSchema)],
      ...pageMembers,
      ['targetName', inQuery(stringSchema, 'targetName')],
    ],
    output: [['resolvedTargets', refTo(resolvedTargets)], nextToken],
  },
  ['GET', '/experiments/{experimentId}/resolvedTargets'],
);

export const ListActions$ = operation(
  'ListActions',
  { input: pageMembers, output: [['actions', refTo(listOf('ActionSummaryList', actionSummary))], nextToken] },
  ['GET', '/actions'],
);

const resourceArn: OwnSchemaMember = ['resourceArn', inPath(stringSchema)];

export const ListTagsForResource$ = operation(
  'ListTagsForResource',
  { input: [resourceArn], output: [['tags', textMapSchema]] },
  ['GET', '/tags/{resourceArn}'],
);

export const TagResource$ = operation('TagResource', { input: [resourceArn, ['tags', textMapSchema]], output: [] }, [
  'POST',
  '/tags/{resourceArn}',
]);

export const UntagResource$ = operation(
  'UntagResource',
  { input: [resourceArn, ['tagKeys', inQuery(textListSchema, 'tagKeys')]], output: [] },
  ['DELETE', '/tags/{resourceArn}'],
);
