import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as apis from '@nodewright/apis';
import { expect, test } from 'vitest';
import { clusterCalls } from './cluster-calls.ts';
import { listConversionCalls } from './conversion-access.ts';
import { type AccessCall, listAccessRules } from './kubernetes-call.ts';
import { listNamespaceRoles } from './namespace-roles.ts';

const packages = join(import.meta.dirname, '../../..');

/** Where the controller makes its calls. */
const folders = [
  'operator/src/controllers',
  'operator/src/state',
  'runtime/src/leadership',
  'runtime/src/observability',
  'cli/src/controller',
];

const source = folders
  .flatMap((folder) =>
    readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => readFileSync(join(packages, folder, name), 'utf8')),
  )
  .join('\n');

/** The group and the plural of a kind that the sources name, `nodeClaims`. */
function resourceOf(variable: string): string {
  const type = (apis as unknown as Readonly<Record<string, { readonly group: string; readonly plural: string }>>)[
    variable
  ];
  if (type === undefined) throw new Error(`@nodewright/apis has no kind ${variable}`);
  return `${type.group} ${type.plural}`;
}

const collections = new Map(
  [
    ...readFileSync(join(packages, 'operator/src/state/objects.ts'), 'utf8').matchAll(
      /(\w+): new CachedCollection\((\w+), client/g,
    ),
  ].map(([, name = '', type = '']) => [name, resourceOf(type)]),
);

const verbsOfMethod: Readonly<Record<string, readonly string[]>> = {
  save: ['patch'],
  create: ['create'],
  createOnce: ['create', 'get'],
  delete: ['delete'],
  read: ['get'],
  readAll: ['list'],
};

const onCollections = [...source.matchAll(/\b(\w+)\.(save|create|createOnce|delete|read|readAll)\(/g)].flatMap(
  ([, name = '', method = '']) => {
    const resource = collections.get(name);
    return resource === undefined ? [] : (verbsOfMethod[method] ?? []).map((verb) => `${verb} ${resource}`);
  },
);

/** A status is changed as the API server has it now. */
const onStatuses = [...source.matchAll(/\bchangeStatus\((\w+),/g)].flatMap(([, name = '']) => {
  const resource = collections.get(name);
  return resource === undefined ? [] : [`get ${resource}`];
});

const byClient = [
  ...[...source.matchAll(/\bclient\.(get|list|watch|create|update|patch|delete)\((\w+),/g)].map(
    ([, verb = '', type = '']) => `${verb} ${resourceOf(type)}`,
  ),
  ...[...source.matchAll(/\blistAll\(client, (\w+)/g)].map(([, type = '']) => `list ${resourceOf(type)}`),
  ...(/\bclient\.evict\(/.test(source) ? ['create  pods/eviction'] : []),
];

const watched = [...collections.values()].flatMap((resource) => [`list ${resource}`, `watch ${resource}`]);
const called = new Set([...watched, ...onCollections, ...onStatuses, ...byClient]);

const settings = { names: [], variableOf: String, defaultOf: () => 'leader', complaintAbout: () => undefined };
const values = { name: 'n', namespace: 'n', settings: new Map() } as never;
const { wide, namespaced } = listConversionCalls(values, settings);
const conversion = [...wide, ...namespaced];
const roles = listNamespaceRoles(values, settings);
const table = [...clusterCalls, ...roles.flatMap(({ calls }) => calls)];
const granted = (calls: readonly AccessCall[]): ReadonlySet<string> =>
  new Set(calls.flatMap(({ group, resource, verbs }) => verbs.map((verb) => `${verb} ${group} ${resource}`)));

/** A save patches the object, its status, or both. */
const ofObjects = granted(
  [...table, ...conversion]
    .filter(({ askedBy }) => askedBy === 'controller')
    .map((call) => ({ ...call, resource: call.resource.replace('/status', '') })),
);

test('the table has every call that the sources make, and no other', () => {
  expect(called.size).toBeGreaterThan(50);
  expect([...called].filter((call) => !ofObjects.has(call))).toEqual([]);
  expect([...ofObjects].filter((call) => !called.has(call))).toEqual([]);
});

test('kinds that people own are written in their status only', () => {
  const patched = granted(table);
  const objects = [...patched].filter((call) => call.startsWith('patch ') && !call.endsWith('/status'));
  expect(objects).toEqual([
    'patch karpenter.sh nodepools',
    'patch karpenter.sh nodeclaims',
    'patch karpenter.k8s.aws ec2nodeclasses',
    'patch nodewright.dev nodegroups',
    'patch nodewright.dev noderollouts',
    'patch  nodes',
    'patch  events',
  ]);
  expect([...patched]).not.toContain('patch  nodes/status');
});

test('a resource is in the table once, unless its objects are named', () => {
  const keys = clusterCalls.map(({ group, resource }) => `${group} ${resource}`);
  expect(keys).toHaveLength(new Set(keys).size);
});

test('resources of one group with the same verbs and names share a rule', () => {
  const call = (resource: string, names?: readonly string[]): AccessCall => ({
    group: 'g',
    resource,
    verbs: ['get'],
    ...(names && { names }),
    askedBy: 'controller',
  });
  expect(listAccessRules([call('a'), call('b', ['x']), call('c')])).toEqual([
    { apiGroups: ['g'], resources: ['a', 'c'], verbs: ['get'] },
    { apiGroups: ['g'], resources: ['b'], resourceNames: ['x'], verbs: ['get'] },
  ]);
});
