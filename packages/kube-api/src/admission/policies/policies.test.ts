import { describe, expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';

const registration = '/apis/admissionregistration.k8s.io/v1';
const policies = `${registration}/validatingadmissionpolicies`;
const bindings = `${registration}/validatingadmissionpolicybindings`;
const configMaps = '/api/v1/namespaces/default/configmaps';

const onConfigMaps = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ],
};
const startsWithOk = {
  expression: "object.metadata.name.startsWith('ok-')",
  message: 'name must start with ok-',
  reason: 'Forbidden',
};

async function withPolicy(policy: object, binding: object = {}) {
  const api = anApiServer({ version: '1.36' });
  const spec = { matchConstraints: onConfigMaps, validations: [startsWithOk], ...policy };
  expect((await api.send('POST', policies, { metadata: { name: 'p' }, spec })).status).toBe(201);
  const bound = { policyName: 'p', validationActions: ['Deny'], ...binding };
  expect((await api.send('POST', bindings, { metadata: { name: 'b' }, spec: bound })).status).toBe(201);
  return api;
}

type Api = Awaited<ReturnType<typeof withPolicy>>;

const create = ({ send }: Api, name: string, rest: object = {}, headers = {}) =>
  send('POST', configMaps, { metadata: { name }, data: { size: '3' }, ...rest }, headers);

const refusal = ({ status, body }: Answer) => [status, body['message']];
const denied = (message: string) =>
  `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}`;

test('a policy refuses what its expression does, as recorded', async () => {
  const api = await withPolicy({});
  const message = denied('name must start with ok-');
  expect(await create(api, 'x')).toMatchObject({
    status: 403,
    body: {
      message,
      reason: 'Forbidden',
      details: { name: 'x', kind: 'configmaps', causes: [{ message: message.split(' is forbidden: ')[1] }] },
      code: 403,
    },
  });
  expect((await create(api, 'ok-x')).status).toBe(201);
  expect((await api.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'x' } })).status).toBe(201);
});

test('a policy without a binding does nothing', async () => {
  const api = await withPolicy({}, { policyName: 'other' });
  expect((await create(api, 'x')).status).toBe(201);
});

test('a validation without a reason is invalid, and without a message names its expression', async () => {
  const api = await withPolicy({ validations: [{ expression: 'false' }] });
  expect(refusal(await create(api, 'x'))).toEqual([422, denied('failed expression: false')]);
});

test.each([
  { fact: 'the old object', expression: 'oldObject == null' },
  { fact: 'the request', expression: "request.operation == 'CREATE' && request.resource.resource == 'configmaps'" },
  {
    fact: 'the sender',
    expression: "request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups",
  },
  { fact: 'the namespace', expression: "namespaceObject.metadata.name == 'default'" },
  {
    fact: 'what the sender may do',
    expression: "authorizer.group('').resource('pods').namespace('default').check('get').allowed()",
  },
  { fact: 'variables', expression: 'variables.size > 2 && variables.double == 6' },
  { fact: 'quantities', expression: "quantity('1Gi').isGreaterThan(quantity('1Mi'))" },
])('an expression reads $fact', async ({ expression }) => {
  const variables = [
    { name: 'size', expression: 'int(object.data.size)' },
    { name: 'double', expression: 'variables.size * 2' },
    { name: 'broken', expression: 'object.data.nope' },
  ];
  const api = await withPolicy({
    variables,
    validations: [{ expression }, { expression: `!(${expression})`, message: 'other' }],
  });
  expect(refusal(await create(api, 'x'))).toEqual([422, denied('other')]);
});

test('a message expression is computed, and the message stands in for one that is not', async () => {
  const validation = { expression: 'false', message: 'plain', messageExpression: "'no ' + object.metadata.name" };
  expect(refusal(await create(await withPolicy({ validations: [validation] }), 'x'))[1]).toBe(denied('no x'));
  const broken = { ...validation, messageExpression: 'string(object.nope)' };
  expect(refusal(await create(await withPolicy({ validations: [broken] }), 'x'))[1]).toBe(denied('plain'));
});

test('an expression that fails denies, or not, as the policy says', async () => {
  const validations = [{ expression: "object.nope == 'x'" }];
  const failing = await withPolicy({ validations });
  expect(refusal(await create(failing, 'x'))).toEqual([
    422,
    denied("expression 'object.nope == 'x'' resulted in error: no such key: nope"),
  ]);
  expect((await create(await withPolicy({ validations, failurePolicy: 'Ignore' }), 'x')).status).toBe(201);
});

test('match conditions decide whether the policy is asked', async () => {
  const matchConditions = [{ name: 'a', expression: "object.metadata.name != 'x'" }];
  const api = await withPolicy({ matchConditions });
  expect((await create(api, 'x')).status).toBe(201);
  expect((await create(api, 'y')).status).toBe(403);
});

describe('a policy applies to', () => {
  test('selected namespaces and objects', async () => {
    const objectSelector = { matchLabels: { checked: 'yes' } };
    const api = await withPolicy({ matchConstraints: { ...onConfigMaps, objectSelector } });
    expect((await create(api, 'x')).status).toBe(201);
    expect((await create(api, 'y', { metadata: { name: 'y', labels: { checked: 'yes' } } })).status).toBe(403);
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'other' } };
    const elsewhere = await withPolicy({}, { matchResources: { namespaceSelector } });
    expect((await create(elsewhere, 'x')).status).toBe(201);
  });

  test('everything but what it excludes', async () => {
    const excludeResourceRules = [{ ...onConfigMaps.resourceRules[0], resourceNames: ['x'] }];
    const api = await withPolicy({ matchConstraints: { ...onConfigMaps, excludeResourceRules } });
    expect((await create(api, 'x')).status).toBe(201);
    expect((await create(api, 'y')).status).toBe(403);
  });

  test('deletions and subresources that it names', async () => {
    const rule = {
      apiGroups: [''],
      apiVersions: ['*'],
      operations: ['DELETE', 'CREATE'],
      resources: ['configmaps', 'pods/eviction'],
    };
    const validations = [
      { expression: "request.operation != 'DELETE' && request.?subResource.orValue('') != 'eviction'" },
    ];
    const api = await withPolicy({ matchConstraints: { resourceRules: [rule] }, validations });
    expect((await create(api, 'x')).status).toBe(201);
    expect((await api.send('DELETE', `${configMaps}/x`)).status).toBe(422);
    const pods = '/api/v1/namespaces/default/pods';
    await api.send('POST', pods, { metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    expect((await api.send('POST', `${pods}/x/eviction`, { metadata: { name: 'x' } })).status).toBe(422);
    expect((await api.send('DELETE', `${pods}/x`)).status).toBe(200);
  });
});

test('a policy that warns lets the write pass', async () => {
  const api = await withPolicy({}, { validationActions: ['Warn', 'Audit'] });
  const { status, headers } = await create(api, 'x');
  expect([status, headers['warning']]).toEqual([
    201,
    `299 - ${JSON.stringify("Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': name must start with ok-")}`,
  ]);
});

describe('parameters', () => {
  const paramKind = { apiVersion: 'v1', kind: 'Secret' };
  const validations = [{ expression: "object.metadata.name == params.metadata.labels['allowed']" }];
  const paramRef = { name: 'params', parameterNotFoundAction: 'Deny' };
  const addParams = ({ send }: Api, name: string, allowed: string) =>
    send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name, labels: { allowed, all: 'yes' } } });

  test('are read by name', async () => {
    const api = await withPolicy({ paramKind, validations }, { paramRef });
    expect(refusal(await create(api, 'x'))[1]).toBe(
      denied('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
    );
    await addParams(api, 'params', 'x');
    expect((await create(api, 'x')).status).toBe(201);
    expect((await create(api, 'y')).status).toBe(422);
  });

  test('are read by label, and every one of them counts', async () => {
    const selector = { matchLabels: { all: 'yes' } };
    const api = await withPolicy(
      { paramKind, validations },
      { paramRef: { selector, parameterNotFoundAction: 'Allow' } },
    );
    expect((await create(api, 'x')).status).toBe(201);
    await addParams(api, 'a', 'y');
    expect((await create(api, 'y')).status).toBe(201);
    await addParams(api, 'b', 'z');
    expect((await create(api, 'z')).status).toBe(422);
  });
});

test('a policy with an expression that is none is refused', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const spec = { matchConstraints: onConfigMaps, validations: [{ expression: 'object.' }] };
  const { status, body } = await send('POST', policies, { metadata: { name: 'p' }, spec });
  expect([status, String(body['message'])]).toEqual([
    422,
    expect.stringContaining('spec.validations[0].expression: Invalid value: "object.": compilation failed: '),
  ]);
});

test('a policy says which generation of it is in force', async () => {
  const api = await withPolicy({});
  const read = async () => (await api.send('GET', `${policies}/p`)).body;
  expect((await read())['status']).toEqual({ observedGeneration: 1, typeChecking: {} });
  const merge = { 'content-type': 'application/merge-patch+json' };
  await api.send('PATCH', `${policies}/p`, { spec: { failurePolicy: 'Ignore' } }, merge);
  expect((await read())['status']).toEqual({ observedGeneration: 2, typeChecking: {} });
});

const onDeployments = {
  resourceRules: [
    { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments', 'statefulsets'] },
  ],
};

const carets = (kind: string, [column, problem]: readonly [number, string], expression: string): string =>
  `apps/v1, Kind=${kind}: ERROR: <input>:1:${column}: ${problem}\n | ${expression}\n | ${'.'.repeat(column - 1)}^\n`;

const overload = (name: string, operands: string): string =>
  `found no matching overload for '${name}' applied to '${operands}'`;

describe('what does not fit the kinds of a policy, as recorded:', () => {
  test.each<{ readonly expression: string; readonly problems: readonly (readonly [number, string])[] }>([
    { expression: "object.spec.replicas > '5'", problems: [[22, overload('_>_', '(int, string)')]] },
    { expression: 'object.spec.nothing == 5', problems: [[12, "undefined field 'nothing'"]] },
    { expression: "object.spec.template.spec.containers.all(c, c.image.startsWith('x'))", problems: [] },
    {
      expression: "object.spec.template.spec.containers.all(c, c.imag.startsWith('x'))",
      problems: [[46, "undefined field 'imag'"]],
    },
    { expression: "object.metadata.labels['a'] == 1", problems: [[29, overload('_==_', '(string, int)')]] },
    { expression: 'has(object.spec.foo) && object.spec.replicas == 1', problems: [[4, "undefined field 'foo'"]] },
    { expression: "object.spec.replicas.startsWith('a')", problems: [[32, overload('startsWith', 'int.(string)')]] },
    { expression: 'oldObject.spec.bar == 1', problems: [[15, "undefined field 'bar'"]] },
    { expression: "object.metadata.name == 'a' && request.operation == 1 && variables.x > 'b'", problems: [] },
  ])('$expression', async ({ expression, problems }) => {
    const validations = [{ expression }];
    const { send } = await withPolicy({
      matchConstraints: onDeployments,
      validations,
      variables: [{ name: 'x', expression: '1' }],
    });
    const status = (await send('GET', `${policies}/p`)).body['status'] as { readonly typeChecking: object };
    const warning = ['Deployment', 'StatefulSet'].flatMap((kind) =>
      problems.map((problem) => carets(kind, problem, expression)),
    );
    expect(status.typeChecking).toEqual(
      warning.length === 0
        ? {}
        : { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: warning.join('\n') }] },
    );
  });
});

test('an expression that fits one kind of a policy brings a warning for the other', async () => {
  const expression = "object.spec.serviceName == 'x'";
  const { send } = await withPolicy({ matchConstraints: onDeployments, validations: [{ expression }] });
  const { body } = await send('GET', `${policies}/p`);
  expect(body['status']).toMatchObject({
    typeChecking: {
      expressionWarnings: [{ warning: carets('Deployment', [12, "undefined field 'serviceName'"], expression) }],
    },
  });
});
