import {
  type DefinitionObject,
  ec2NodeClasses,
  type KubernetesObject,
  listConvertedCrds,
  listKarpenterCrds,
  type StructuralSchema,
} from '@nodewright/apis';
import { aNodeClass, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { observeDefinitions } from './check-definitions.ts';
import { judgeDefinition } from './judge-definitions.ts';
import { hasField, listSchemaFields, printFieldPath } from './schema-fields.ts';

const name = 'ec2nodeclasses.karpenter.k8s.aws';
const ours = listKarpenterCrds().find(({ metadata }) => metadata.name === name);
if (ours === undefined) throw new Error(`no ${name}`);
const [v1] = ours.spec.versions;
if (v1 === undefined) throw new Error(`no version of ${name}`);

type Version = NonNullable<NonNullable<DefinitionObject['spec']>['versions']>[number];

/** The definition as a cluster has it, with other versions, conversion or schema. */
const inCluster = (
  more: Partial<NonNullable<DefinitionObject['spec']>>,
  storedVersions = ['v1'],
): DefinitionObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: { versions: [v1], ...more },
  status: { storedVersions },
});

/** `v1` whose spec has one field in place of others. */
function withSpec(change: (properties: Readonly<Record<string, StructuralSchema>>) => object): Version {
  const schema = v1?.schema.openAPIV3Schema;
  const spec = schema?.properties?.['spec'];
  const properties = { ...schema?.properties, spec: { ...spec, properties: change(spec?.properties ?? {}) } };
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { ...schema, properties } } } as Version;
}

const converted = listConvertedCrds({ name: 'karpenter-conversion', namespace: 'karpenter' }).find(
  ({ metadata }) => metadata.name === name,
);
if (converted === undefined) throw new Error(`no ${name}`);

const judge = (theirs: DefinitionObject | undefined, objects: readonly KubernetesObject[] = []): readonly string[] =>
  judgeDefinition({ ours, theirs, objects }).map(({ state, message }) => `${state}: ${message}`);

test('a definition that is not there is created, and one that is the same changes nothing', () => {
  expect(judge(undefined)).toEqual(['apply: the cluster has no such kind; it is created']);
  expect(judge(inCluster({}))).toEqual(['ok: has the same versions and fields']);
});

test('a version that may be stored is blocked with what to do, one that is only served is told', () => {
  const old = { name: 'v1beta1', served: true, storage: false };
  expect(judge(inCluster({ versions: [v1, old] }, ['v1beta1', 'v1']))).toEqual([
    'blocked: objects may be stored as v1beta1, which is taken away; while v1 is stored, write each object once ' +
      `(kubectl annotate ${name} --all nodewright.dev/stored=v1), then ` +
      `kubectl patch crd ${name} --subresource=status --type=merge -p '{"status":{"storedVersions":["v1"]}}'`,
  ]);
  expect(judge(inCluster({ versions: [v1, old] }))).toEqual([
    'warning: v1beta1 is served no longer; `nodewright convert` rewrites manifests of it',
  ]);
});

test('a conversion webhook is told', () => {
  expect(judge(inCluster({ conversion: { strategy: 'Webhook' } }))).toEqual([
    expect.stringMatching(/^warning: its conversion webhook stays/),
  ]);
});

test('with a webhook v1beta1 stays, and a webhook behind another Service is replaced', () => {
  const judgeConverted = (theirs: DefinitionObject) =>
    judgeDefinition({ ours: converted, theirs, objects: [] }).map(({ state, message }) => `${state}: ${message}`);
  const { versions, conversion } = converted.spec;
  expect(judgeConverted(inCluster({ versions, ...(conversion && { conversion }) }, ['v1beta1', 'v1']))).toEqual([
    'ok: has the same versions and fields',
  ]);
  const told = 'apply: the webhook karpenter/karpenter-conversion converts its versions';
  expect(judgeConverted(inCluster({ versions }))).toEqual([told]);
  const other = { clientConfig: { service: { name: 'karpenter', namespace: 'kube-system' } } };
  expect(judgeConverted(inCluster({ versions, conversion: { strategy: 'Webhook', webhook: other } }))).toEqual([told]);
});

test('a field that objects would lose is blocked, and one that none has is not', () => {
  const nodeClass = { ...aNodeClass(), apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass' };
  const newer = withSpec((properties) => ({
    ...properties,
    colour: { type: 'object', properties: { shade: { type: 'string' } } },
  }));
  expect(judge(inCluster({ versions: [newer] }), [nodeClass])).toEqual([
    'apply: v1 loses spec.colour, which no object has',
  ]);
  const coloured = { ...nodeClass, spec: { ...nodeClass.spec, colour: { shade: 'grey' } } };
  expect(judge(inCluster({ versions: [newer] }), [coloured])).toEqual([
    'blocked: v1 loses spec.colour, and with it what default say there',
  ]);
});

test('a field that comes is told once, without the fields below it', () => {
  const older = withSpec(({ kubelet: _kubelet, ...properties }) => properties);
  expect(judge(inCluster({ versions: [older] }))).toEqual(['apply: v1 gets spec.kubelet']);
});

test('an object that breaks the new rules is named', () => {
  const bad = { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'bad' }, spec: {} };
  expect(judge(inCluster({}), [bad])).toEqual([
    expect.stringMatching(/^warning: bad breaks rules of the new definition: .*spec\.subnetSelectorTerms/),
  ]);
});

test('fields are found in lists and maps', () => {
  const text = { type: 'string' };
  const schema = {
    properties: {
      list: { items: { properties: { a: text } } },
      map: { additionalProperties: { properties: { b: text } } },
    },
  };
  const fields = listSchemaFields(schema);
  expect(fields.map(printFieldPath)).toEqual(['list', 'list[].a', 'map', 'map{}.b']);
  const object = { list: [{}, { a: 'x' }], map: { one: { b: 'y' } } };
  expect(fields.every((path) => hasField(object, path))).toBe(true);
  expect(hasField({ list: [{}], map: {} }, ['list', '[]', 'a'])).toBe(false);
});

test('a cluster is read: its definitions, and the objects of each kind', async () => {
  const world = aWorld();
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  const compared = await world.apply(observeDefinitions(world.client, listKarpenterCrds()));
  const findings = compared.flatMap(judgeDefinition);
  expect(findings.filter(({ state }) => state === 'blocked')).toEqual([]);
  expect(findings.filter(({ subject }) => subject === name)).toMatchObject([{ state: 'warning' }]);
  expect(compared.find(({ ours: { metadata } }) => metadata.name === name)?.objects).toHaveLength(1);
  await world.stop();
});
