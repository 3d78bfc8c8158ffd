import { instant } from '@nodewright/apis';
import { type RequestHandler, scaledTime } from '@nodewright/runtime';
import { anApiServer, aTestAccount } from '@nodewright/testkit/worlds';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlApiHandler } from './control-api.ts';

/** Texts that mean something to one of the parsers on the way. */
const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e999',
    '9'.repeat(40),
    'NaN',
    'null',
    'true',
    '*',
    '?',
    '\\',
    '%',
    '%zz',
    '%00',
    '/',
    '//',
    '..',
    ',',
    '=',
    '!',
    '(',
    ')',
    'in',
    'a in (',
    'a=b,',
    '[',
    '(((',
    '{',
    '"',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    'a'.repeat(300),
    '{"v":1}',
    'eyJ2IjoxfQ',
    '2024-13-40T99:99:99Z',
    'ENOENT',
    '~1',
    '~2',
    '-',
    '1.28',
    '5m',
    '-5m',
    '1h1h',
    '0x10',
    'i-0',
    'lt-0',
    'ami-1',
  ),
  fc.string({ maxLength: 12 }),
);
const hostileNumber = fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, 1e-300);
const hostileLeaf = fc.oneof(
  hostileText,
  hostileNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
);

const kubernetesWords = [
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'resourceVersion',
  'uid',
  'generateName',
  'creationTimestamp',
  'deletionTimestamp',
  'spec',
  'status',
  'data',
  'containers',
  'image',
  'resources',
  'requests',
  'cpu',
  'tolerations',
  'op',
  'path',
  'from',
  'value',
  '$patch',
  '$setElementOrder/containers',
  'replicas',
  'selector',
  'template',
  'versions',
  'schema',
  'openAPIV3Schema',
  'properties',
  'pattern',
  'x-kubernetes-validations',
  'rule',
  'token',
  'resourceAttributes',
  'propagationPolicy',
  'preconditions',
  'dryRun',
  'fieldsV1',
  'f:metadata',
  'target',
  'limits',
  'rules',
  'subjects',
];
const awsWords = [
  'Filter',
  'Filters',
  'Name',
  'Names',
  'Values',
  'Value',
  'MaxResults',
  'NextToken',
  'InstanceId',
  'InstanceIds',
  'ImageIds',
  'Tags',
  'Key',
  'LaunchTemplateData',
  'LaunchTemplateConfigs',
  'TargetCapacitySpecification',
  'TotalTargetCapacity',
  'Resource',
  'UserData',
  'Owners',
  'nodegroupName',
  'scalingConfig',
  'minSize',
  'clusterName',
  'releaseVersion',
  'version',
  'QueueUrl',
  'MaxNumberOfMessages',
  'WaitTimeSeconds',
  'Path',
  'ServiceCode',
  'FormatVersion',
  'AutoScalingGroupNames',
  'member',
  'EventPattern',
  'Targets',
  'advance',
  'paused',
  'speed',
  'kind',
];

/** A value whose members have words that handlers read, at any place. */
const valueOf = (words: readonly string[]): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      hostileLeaf,
      fc.dictionary(fc.oneof(fc.constantFrom(...words), hostileText), tie('value'), { maxKeys: 6 }),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value;

type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const anObject = valueOf(kubernetesWords).map((members) =>
  typeof members === 'object' && !Array.isArray(members) ? members : { metadata: members },
);
const resources = fc.constantFrom(
  ['v1', 'ConfigMap', '/api/v1/namespaces/default/configmaps'],
  ['v1', 'Pod', '/api/v1/namespaces/default/pods'],
  ['v1', 'Node', '/api/v1/nodes'],
  ['apps/v1', 'Deployment', '/apis/apps/v1/namespaces/default/deployments'],
  ['batch/v1', 'Job', '/apis/batch/v1/namespaces/default/jobs'],
  ['coordination.k8s.io/v1', 'Lease', '/apis/coordination.k8s.io/v1/namespaces/default/leases'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  ['authentication.k8s.io/v1', 'TokenReview', '/apis/authentication.k8s.io/v1/tokenreviews'],
  ['authorization.k8s.io/v1', 'SubjectAccessReview', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
  ['policy/v1', 'PodDisruptionBudget', '/apis/policy/v1/namespaces/default/poddisruptionbudgets'],
  ['events.k8s.io/v1', 'Event', '/apis/events.k8s.io/v1/namespaces/default/events'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  ['v1', 'Nonsense', '/openapi/v3'],
  ['v1', 'Nonsense', '/apis'],
);
/** A lone surrogate cannot be encoded and stays as it is. */
const encodeQueryText = (text: string): string => (/\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text));

const kubernetesQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'labelSelector',
        'fieldSelector',
        'limit',
        'continue',
        'resourceVersion',
        'resourceVersionMatch',
        'timeoutSeconds',
        'watch',
        'dryRun',
        'fieldManager',
        'force',
        'fieldValidation',
        'pretty',
        'allowWatchBookmarks',
        'sendInitialEvents',
        'gracePeriodSeconds',
        'tailLines',
        'sinceTime',
        'follow',
        'hash',
        'includeObject',
        'propagationPolicy',
      ),
      hostileText,
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([key, value]) => `${key}=${encodeQueryText(value)}`).join('&'));
const kubernetesRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW'),
    resource: resources,
    name: fc.constantFrom(
      '',
      '/m',
      '/m',
      '/m/status',
      '/m/scale',
      '/m/eviction',
      '/m/binding',
      '/m/log',
      '/m/token',
      '/%00',
      '/%zz',
      '//',
    ),
    query: kubernetesQuery,
    type: fc.constantFrom(
      '',
      'application/json',
      'application/yaml',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/json-patch+json',
      'application/apply-patch+yaml',
      'application/vnd.kubernetes.protobuf',
      'text/html',
    ),
    accept: fc.constantFrom(
      '',
      '*/*',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ),
    members: fc.oneof(anObject, fc.array(anObject, { maxLength: 3 })),
    isTyped: fc.boolean(),
    text: fc.option(hostileText),
  })
  .map(({ method, resource: [apiVersion, kind, path], name, query, type, accept, members, isTyped, text }) => {
    const body =
      isTyped && !Array.isArray(members) ? { metadata: { name: 'm' }, ...members, apiVersion, kind } : members;
    return {
      method,
      path: `${path}${name}?${query}`,
      headers: { 'content-type': type, accept },
      body: text ?? JSON.stringify(body),
    };
  });

const queryVersions = [
  [
    '2016-11-15',
    [
      'DescribeInstances',
      'DescribeImages',
      'CreateFleet',
      'CreateTags',
      'CreateLaunchTemplate',
      'DescribeInstanceTypes',
      'RunInstances',
      'TerminateInstances',
      'DescribeSubnets',
    ],
  ],
  ['2011-01-01', ['DescribeAutoScalingGroups', 'SetDesiredCapacity', 'StartInstanceRefresh']],
  ['2010-05-08', ['GetInstanceProfile', 'CreateInstanceProfile', 'GetRole']],
  ['2011-06-15', ['GetCallerIdentity', 'AssumeRole']],
] as const;
const formRequest: fc.Arbitrary<HostileRequest> = fc
  .constantFrom(...queryVersions.flatMap(([version, actions]) => actions.map((action) => ({ version, action }))))
  .chain(({ version, action }) =>
    fc
      .array(
        fc.tuple(
          fc.array(fc.oneof(fc.constantFrom(...awsWords, '1', '2', '999999999'), hostileText), {
            minLength: 1,
            maxLength: 5,
          }),
          hostileText,
        ),
        { maxLength: 6 },
      )
      .map((pairs) => ({
        method: 'POST',
        path: '/',
        headers: {},
        body: `Action=${action}&Version=${version}&${pairs.map(([steps, value]) => `${steps.join('.')}=${value}`).join('&')}`,
      })),
  );
const targets = [
  'AmazonSSM.GetParameter',
  'AmazonSSM.GetParameters',
  'AmazonSSM.GetParametersByPath',
  'AWSPriceListService.GetProducts',
  'AmazonSQS.ReceiveMessage',
  'AmazonSQS.GetQueueUrl',
  'AmazonSQS.SendMessage',
  'AmazonSQS.DeleteMessage',
  'AWSEvents.PutRule',
  'AWSEvents.PutTargets',
  'ServiceQuotasV20190624.GetServiceQuota',
  'AmazonSSM.constructor',
  'AmazonSSM',
];
const jsonRequest: fc.Arbitrary<HostileRequest> = fc
  .record({ target: fc.constantFrom(...targets), value: valueOf(awsWords), text: fc.option(hostileText) })
  .map(({ target, value, text }) => ({
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': target },
    body: text ?? JSON.stringify(value),
  }));
const restRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    steps: fc.array(
      fc.oneof(
        fc.constantFrom('my-cluster', 'node-groups', 'updates', 'update-config', 'update-version', 'addons'),
        hostileText,
      ),
      { maxLength: 5 },
    ),
    value: valueOf(awsWords),
  })
  .map(({ method, steps, value }) => ({
    method,
    path: `/clusters/${steps.join('/')}?${steps.join('=')}`,
    headers: {},
    body: JSON.stringify(value),
  }));

const controlRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    operation: fc.constantFrom(
      'GET /clock',
      'GET /calls',
      'GET /releases',
      'POST /releases',
      'GET /faults',
      'POST /faults',
      'DELETE /faults',
      'GET //',
      'GET ?',
    ),
    query: fc.array(fc.tuple(fc.constantFrom('since', 'id', 'kubernetesVersion', 'family', 'from'), hostileText), {
      maxLength: 2,
    }),
    value: fc.oneof(
      valueOf(awsWords),
      fc.record({
        kind: fc.constantFrom('throttle', 'outage', 'refuse', 'delay', 'publish', 'add'),
        service: hostileText,
        times: hostileLeaf,
      }),
    ),
    text: fc.option(hostileText),
  })
  .map(({ operation, query, value, text }) => {
    const [method = '', path = ''] = operation.split(' ');
    const body = method === 'GET' ? '' : (text ?? JSON.stringify(value));
    return { method, path: `${path}?${query.map((pair) => pair.join('=')).join('&')}`, headers: {}, body };
  });

const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

/** What an answer must never show: a frame of a stack, or a file of the server. */
const leaks = /\n\s+at |\.tsx?[:)]|node_modules|file:\/\/|node:internal/;

async function checkAnswer(handle: RequestHandler, request: HostileRequest): Promise<void> {
  const gone = new AbortController();
  const body = Buffer.from(request.body);
  // A handler rejects with a defect only: every input has an answer of its protocol.
  const answer = await handle({ ...request, body, peer }, gone.signal);
  gone.abort();
  const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : '';
  expect(text).not.toMatch(leaks);
  expect(answer.status).toBeGreaterThanOrEqual(200);
  if (answer.status < 400 || text === '') return;
  expect(text.trimStart()).toMatch(/^(?:\{[^]*\}|<\?xml [^]*<\/\w+>|apiVersion: v1\n[^]*|[^<{]*)\s*$/);
  if (text.startsWith('{')) expect(() => JSON.parse(text) as unknown).not.toThrow();
}

const runs = { seed: 14, numRuns: 500 };

describe('every hostile request has a well-formed answer', () => {
  test('of the Kubernetes API', async () => {
    const { server, send } = anApiServer();
    for (const kind of ['configmaps', 'pods']) {
      const spec = kind === 'pods' ? { spec: { containers: [{ name: 'c', image: 'i' }] } } : {};
      await send('POST', `/api/v1/namespaces/default/${kind}`, { metadata: { name: 'm' }, ...spec });
    }
    await fc.assert(
      fc.asyncProperty(kubernetesRequest, (request) => checkAnswer(server.handle, request)),
      { ...runs, numRuns: 2_000 },
    );
  });

  test.each([
    { protocol: 'form', requests: formRequest },
    { protocol: 'JSON', requests: jsonRequest },
    { protocol: 'REST', requests: restRequest },
  ])('of the AWS endpoints: $protocol', async ({ requests }) => {
    const { aws } = aTestAccount();
    await fc.assert(
      fc.asyncProperty(requests, (request) => checkAnswer(aws.handle, request)),
      runs,
    );
  });

  test('of the control API', async () => {
    const { aws } = aTestAccount();
    const time = scaledTime({ start: instant(Date.UTC(2024, 0, 28)), speed: 1 });
    time.pause();
    const handle = controlApiHandler({ time, aws });
    await fc.assert(
      fc.asyncProperty(controlRequest, (request) => checkAnswer(handle, request)),
      runs,
    );
  });
});
