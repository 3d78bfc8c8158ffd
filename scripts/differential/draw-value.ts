import type { Random } from '@nodewright/runtime';
import type { DrawnSchema, SchemaTable } from './kinds.ts';
import type { Json } from './step.ts';

const mostDepth = 3;

export const goodTexts: Readonly<Record<string, readonly string[]>> = {
  image: [
    'i',
    'i:1',
    'registry.example.com/a/b@sha256:0000000000000000000000000000000000000000000000000000000000000000',
  ],
  namespace: ['case-RUN', 'default'],
  key: ['a', 'example.com/a', 'kubernetes.io/hostname'],
  operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Equal', 'Gt'],
  effect: ['NoSchedule', 'NoExecute', 'PreferNoSchedule'],
  mountPath: ['/a', '/b', 'c'],
  path: ['/a', 'a', 'a/../b', '/'],
  cidr: ['10.0.0.0/8', '10.0.0.1/8', 'fd00::/64', '10.0.0.0'],
  ip: ['10.0.0.1', '::1', '010.0.0.1', '127.0.0.1'],
  host: ['a.example.com', '*.example.com', '1.2.3.4'],
  hostname: ['a', 'a.b', 'A'],
  schedule: ['* * * * *', '@daily', '5 4 * *'],
  fieldPath: ['metadata.name', 'metadata.labels', "metadata.labels['a']", 'status.podIP', 'spec.none'],
  topologyKey: ['kubernetes.io/hostname', 'zone', ''],
  apiGroup: ['', 'apps', 'rbac.authorization.k8s.io'],
  expression: ['true', 'object.spec.a == 1', 'self.', '1 + 1', 'has(object.spec)'],
  policyName: ['p-RUN'],
  reason: ['Tried', 'a b'],
};

const names = ['a', 'b', 'web', 'c', 'v', 'http'];
export const oddTexts = [
  '',
  'A_b',
  '-a',
  'a b',
  'a/b',
  'a..b',
  '1',
  'ä',
  '*',
  'a,b',
  'true',
  'a'.repeat(64),
  'a'.repeat(254),
  ' a',
];
export const quantities = [
  '1',
  '500m',
  '1Gi',
  '0',
  '1.5',
  '-1',
  '100k',
  '1e3',
  '1Ki5',
  '',
  'x',
  '0.0001',
  '1024Mi',
  '2000m',
  1,
  0.5,
];
export const portions = [1, 0, '50%', '100%', '101%', '-5%', -1, 'http', 80, '1', 'x%', '0%', 70_000];
export const wholeNumbers = [0, 1, 2, 3, 10, 30, 80, 443, 8080, 100];
export const oddNumbers = [
  -1,
  65_536,
  2_147_483_647,
  2_147_483_648,
  1.5,
  1e21,
  '@int:9007199254740993',
  '@int:9223372036854775808',
  3600,
  86_400,
];
export const times = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.5+02:00',
  '2026-01-01',
  '',
];

const isOften = (random: Random): boolean => random.next() < 0.8;

function drawText(random: Random, name: string, schema: DrawnSchema): Json {
  if (schema.format === 'quantity') return random.pick(isOften(random) ? quantities.slice(0, 5) : quantities);
  if (schema.format === 'date-time') return random.pick(isOften(random) ? times.slice(0, 1) : times);
  if (schema.format === 'byte') return random.pick(isOften(random) ? ['YQ==', ''] : ['YQ', '%', 'YQ=\n=']);
  if (!isOften(random)) return random.pick(oddTexts);
  if (schema.enum !== undefined && schema.enum.length > 0) return random.pick(schema.enum);
  const good = Object.hasOwn(goodTexts, name) ? goodTexts[name] : undefined;
  return random.pick(good ?? names);
}

const drawNumber = (random: Random): Json => random.pick(isOften(random) ? wholeNumbers : oddNumbers);

/** A value of any type, to stand where another one belongs. */
export const drawAnything = (random: Random): Json =>
  random.pick<Json>([null, true, false, 0, 1, -1, 1.5, '', 'a', '1', [], {}, ['a'], [1], { a: 'b' }, [{}], [null]]);

/** A value that the schema describes, most of the time one that is accepted. */
export function drawValue(random: Random, table: SchemaTable, given: DrawnSchema, name = '', depth = 0): Json {
  const schema = table.resolve(given);
  if (schema['x-kubernetes-int-or-string'] === true)
    return random.pick(isOften(random) ? portions.slice(0, 3) : portions);
  switch (schema.type) {
    case 'string':
      return drawText(random, name, schema);
    case 'integer':
    case 'number':
      return drawNumber(random);
    case 'boolean':
      return random.next() < 0.5;
    case 'array':
      return Array.from({ length: depth > mostDepth ? 0 : random.integer(3) }, () =>
        drawValue(random, table, schema.items ?? {}, name.replace(/s$/, ''), depth + 1),
      );
    default:
      return drawMap(random, table, schema, depth);
  }
}

function drawMap(random: Random, table: SchemaTable, schema: DrawnSchema, depth: number): Json {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    const share = depth > mostDepth ? 0.1 : 0.5 / (1 + depth);
    const chosen = Object.entries(properties).filter(([, inner]) => {
      const isScalar = table.resolve(inner).properties === undefined;
      return random.next() < (isScalar ? Math.max(share, 0.2) : share);
    });
    return Object.fromEntries(
      chosen.map(([member, inner]) => [member, drawValue(random, table, inner, member, depth + 1)]),
    );
  }
  if (typeof additionalProperties !== 'object') return random.pick<Json>([{}, { a: 'b' }, { a: 1 }]);
  const keys = isOften(random) ? ['a', 'cpu', 'memory', 'example.com/a'] : ['', 'A b', 'a/b/c', 'x'.repeat(64), 'a'];
  return Object.fromEntries(
    Array.from({ length: random.integer(3) }, () => [
      random.pick(keys),
      drawValue(random, table, additionalProperties, 'value', depth + 1),
    ]),
  );
}
