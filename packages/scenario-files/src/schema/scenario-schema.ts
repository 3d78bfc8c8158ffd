import { imageArchitectures, imageVariants, nodeBehaviors } from '@nodewright/aws-endpoints';
import { faultKinds, listFaultKinds } from '@nodewright/aws-endpoints/fault-kinds';
import { featureGateNames } from '../reading/scenario-file.ts';
import { stepNames, type StepName, stepSummaries } from '../reading/step-names.ts';

type ScenarioSchema = Readonly<Record<string, unknown>>;

const nonEmptySchema = { type: 'string', minLength: 1 };
const conditionSchema = {
  ...nonEmptySchema,
  description: 'A CEL expression that is true or false: nodes.all(n, n.ready)',
};
const durationSchema = {
  type: 'string',
  pattern: '^([0-9.]+(ns|us|µs|ms|s|m|h|d|w))+$',
  description: 'Such as 30m, 6h or 2d',
};
const pathsSchema = {
  description: 'Manifests: files, folders, or - for standard input; relative to this file',
  anyOf: [nonEmptySchema, { type: 'array', items: nonEmptySchema }],
};

const objectSchema = (properties: ScenarioSchema, required: readonly string[] = []): ScenarioSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});

const nodeChoiceSchema = {
  anyOf: [
    { ...nonEmptySchema, description: 'The name of a node' },
    objectSchema({
      nodes: { type: 'integer', minimum: 1, description: 'How many [all that fit]' },
      node: nonEmptySchema,
      pool: nonEmptySchema,
      zone: nonEmptySchema,
      release: nonEmptySchema,
    }),
  ],
};

const podLabelsSchema = {
  description: 'Labels of the pods whose containers fail, with containersFail [half of all pods]',
  anyOf: [{ type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 }, nonEmptySchema],
};

const behaviorSchema = {
  anyOf: [
    {
      ...nonEmptySchema,
      description: 'NAME, NAME after 3h, NAME on 30% of nodes, or containersFail for pods app=web',
      examples: ['stopsRenewing after 3h', 'containersFail for pods app=web on 30% of nodes after 1h'],
    },
    objectSchema(
      {
        kind: { enum: nodeBehaviors },
        after: durationSchema,
        share: { type: 'string', pattern: '^[0-9.]+%$', description: 'How many of its nodes [all]' },
        pods: podLabelsSchema,
        variant: { enum: imageVariants, description: 'The images that it concerns [all]' },
        arch: { enum: imageArchitectures },
      },
      ['kind'],
    ),
  ],
};

const releaseNames = {
  family: nonEmptySchema,
  version: nonEmptySchema,
  variant: nonEmptySchema,
  arch: { enum: ['amd64', 'arm64'] },
  kubernetesVersion: nonEmptySchema,
  imageId: nonEmptySchema,
  name: nonEmptySchema,
};

const faultFields = [
  ...new Set(Object.values(faultKinds).flatMap(({ required = [], optional = [] }) => [...required, ...optional])),
];

const objectNameSchemas = {
  kind: nonEmptySchema,
  apiVersion: nonEmptySchema,
  name: nonEmptySchema,
  namespace: nonEmptySchema,
};
const looseObject = { type: 'object', additionalProperties: true };

/** What stands behind the name of each step. */
const stepSchemas: Readonly<Record<StepName, ScenarioSchema>> = {
  waitUntil: conditionSchema,
  expect: conditionSchema,
  advance: durationSchema,
  release: objectSchema(
    { ...releaseNames, behavior: { anyOf: [behaviorSchema, { type: 'array', items: behaviorSchema }] } },
    ['family', 'version'],
  ),
  withdraw: objectSchema({ ...releaseNames, keepImage: { type: 'boolean' } }),
  deprecate: objectSchema(releaseNames),
  fault: {
    ...objectSchema(
      {
        kind: { enum: listFaultKinds().filter((kind) => kind !== 'latency') },
        for: durationSchema,
        lag: durationSchema,
        notice: durationSchema,
        nodes: { type: 'integer', minimum: 1 },
        pool: nonEmptySchema,
        ...Object.fromEntries(faultFields.filter((name) => name !== 'delayMs').map((name) => [name, {}])),
        pods: podLabelsSchema,
      },
      ['kind'],
    ),
  },
  clear: { enum: ['faults'] },
  upgrade: objectSchema({ controlPlane: { type: 'string', pattern: '^1\\.[0-9]+$' } }, ['controlPlane']),
  updateGroup: {
    anyOf: [nonEmptySchema, objectSchema({ group: nonEmptySchema, release: nonEmptySchema }, ['group'])],
  },
  kill: {
    anyOf: [
      { enum: ['controller'] },
      objectSchema({ controller: objectSchema({ for: durationSchema }, ['for']) }, ['controller']),
    ],
  },
  scale: objectSchema(
    { deployment: nonEmptySchema, statefulSet: nonEmptySchema, replicas: { type: 'integer', minimum: 0 } },
    ['replicas'],
  ),
  interrupt: nodeChoiceSchema,
  terminate: nodeChoiceSchema,
  apply: { anyOf: [nonEmptySchema, looseObject, { type: 'array', items: { anyOf: [nonEmptySchema, looseObject] } }] },
  delete: {
    anyOf: [
      objectSchema(objectNameSchemas, ['kind', 'name']),
      objectSchema(
        {
          kind: nonEmptySchema,
          apiVersion: nonEmptySchema,
          namespace: nonEmptySchema,
          labels: podLabelsSchema,
          count: { type: 'integer', minimum: 1, description: 'How many; chance decides which [all]' },
        },
        ['kind', 'labels'],
      ),
    ],
  },
  patch: objectSchema({ ...objectNameSchemas, merge: looseObject }, ['kind', 'merge']),
  cordon: nodeChoiceSchema,
  uncordon: nodeChoiceSchema,
};

const companionSchemas: Partial<Readonly<Record<StepName, ScenarioSchema>>> = {
  waitUntil: { within: { ...durationSchema, description: 'How long at most [15m]' }, because: nonEmptySchema },
  expect: { because: nonEmptySchema },
};

const stepSchema: ScenarioSchema = {
  oneOf: stepNames.map((name) =>
    objectSchema({ [name]: { description: stepSummaries[name], ...stepSchemas[name] }, ...companionSchemas[name] }, [
      name,
    ]),
  ),
};

const arraySchema = (items: ScenarioSchema): ScenarioSchema => ({ type: 'array', items });

const rulesSchema = {
  always: {
    description: 'What holds after every change of the world',
    ...arraySchema({
      anyOf: [conditionSchema, objectSchema({ expect: conditionSchema, because: nonEmptySchema }, ['expect'])],
    }),
  },
  never: {
    description: 'What never comes true: unschedulable for 10m, nodes > 40, price > 12.5, or any condition',
    ...arraySchema(nonEmptySchema),
  },
};

const clusterSchema = objectSchema({
  snapshot: { ...nonEmptySchema, description: 'A file of nodewright snapshot; with featureGates alone beside it' },
  name: { ...nonEmptySchema, description: 'Its name [as the discovery tags of the EC2NodeClasses]' },
  kubernetesVersion: { type: 'string', pattern: '^1\\.[0-9]+$', description: 'Minor version, in quotes ["1.34"]' },
  region: { ...nonEmptySchema, description: 'Its region [the one whose zones the manifests name, else us-east-1]' },
  zones: {
    description: 'How many zones, or their names [3]',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 6 }, arraySchema(nonEmptySchema)],
  },
  catalogue: {
    enum: ['small', 'current'],
    description: 'Which instance types there are [current where manifests name one that small lacks]',
  },
  startTime: { type: 'string', format: 'date-time', description: 'When the clock begins [2026-03-02T08:00:00Z]' },
  releases: {
    enum: ['still', 'history'],
    description: 'Whether image releases come out by themselves, as they did and will [still]',
  },
  featureGates: objectSchema(Object.fromEntries(featureGateNames.map((name) => [name, { type: 'boolean' }]))),
  nodeGroups: {
    description: 'Managed node groups that are there from the start',
    ...arraySchema(
      objectSchema(
        {
          name: nonEmptySchema,
          nodes: { type: 'integer', minimum: 1, description: 'How many nodes it has' },
          strategy: { enum: ['DEFAULT', 'MINIMAL'], description: 'How EKS updates it [DEFAULT]' },
          instanceType: { ...nonEmptySchema, description: 'Their type [m5.large]' },
          labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Labels of its nodes' },
        },
        ['name', 'nodes'],
      ),
    ),
  },
  onUpdateFailure: {
    enum: ['leave', 'revert'],
    description: 'What EKS does with new nodes when the update of such a group fails [leave]',
  },
});

/** The JSON schema of files of kind Scenario. */
export const scenarioJsonSchema = (): ScenarioSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario',
  ...objectSchema(
    {
      apiVersion: { const: 'nodewright.dev/v1alpha1' },
      kind: { const: 'Scenario' },
      metadata: objectSchema(
        {
          name: { ...nonEmptySchema, description: 'What the scenario shows' },
          labels: looseObject,
          annotations: looseObject,
        },
        ['name'],
      ),
      spec: objectSchema({
        about: nonEmptySchema,
        cluster: clusterSchema,
        given: pathsSchema,
        seeds: { type: 'integer', minimum: 1, maximum: 10_000, description: 'How many seeds it is played with [1]' },
        steps: { description: 'What happens, in order', ...arraySchema(stepSchema) },
        ...rulesSchema,
        cases: {
          description: 'Ends of the scenario: each case is a play of its own, with more manifests, steps and rules',
          ...arraySchema(
            objectSchema({ name: nonEmptySchema, given: pathsSchema, steps: arraySchema(stepSchema), ...rulesSchema }, [
              'name',
            ]),
          ),
        },
      }),
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  ),
});
