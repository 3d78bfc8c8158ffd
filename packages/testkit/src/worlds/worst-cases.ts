import type { anApiServer } from './in-process-api.ts';

type Api = ReturnType<typeof anApiServer>;

/** A request that is as hard as its size allows: `size` counts the labels, items, operations it is made of. */
export type WorstCase = {
  readonly name: string;
  /** How many parts about fit into the 3 MiB that a body may have, or into another limit. */
  readonly largest: number;
  readonly run: (api: Api, size: number) => Promise<number>;
};

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const record = (size: number, value: (index: number) => unknown = () => 'x'): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}`, value(index)]));
const list = (size: number, item: (index: number) => unknown): readonly unknown[] =>
  Array.from({ length: size }, (_, index) => item(index));

const configMap = (members: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...members,
});
const labelled = (size: number): object => configMap({ metadata: { name: 'm', labels: record(size) } });
const filled = (size: number): object => configMap({ metadata: { name: 'm' }, data: record(size) });
const filledWith = (text: string): object => configMap({ metadata: { name: 'm' }, data: { text } });
const as = (form: string): Readonly<Record<string, string>> => ({ 'content-type': `application/${form}` });
const applyPath = (manager: string): string => `${configMaps}/m?fieldManager=${manager}`;

const definition = (spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
});

const lamp = (spec: unknown): object => ({ apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'l' }, spec });

const pod = (spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
const container = (members: object): object => ({ name: 'c', image: 'i', ...members });

/** Sends the requests one after the other; the answer of the last one. */
async function inTurn(api: Api, ...requests: readonly Parameters<Api['send']>[]): Promise<number> {
  let status = 0;
  for (const request of requests) ({ status } = await api.send(...request));
  return status;
}

const lamps = '/apis/example.com/v1/lamps';

/** Creates an object of a definition of its own. */
const custom =
  (schema: object, spec: (size: number) => unknown) =>
  (api: Api, size: number): Promise<number> =>
    inTurn(api, ['POST', definitions, definition(schema)], ['POST', lamps, lamp(spec(size))]);

/** Every handler of the API server with the input that costs it the most. */
export const worstCases: readonly WorstCase[] = [
  { name: 'create: labels', largest: 150_000, run: (api, size) => inTurn(api, ['POST', configMaps, labelled(size)]) },
  {
    name: 'create: members of a map',
    largest: 150_000,
    run: (api, size) => inTurn(api, ['POST', configMaps, filled(size)]),
  },
  {
    name: 'create: unknown members',
    largest: 150_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        `${configMaps}?fieldValidation=Warn`,
        configMap({ metadata: { name: 'm' }, ...record(size) }),
      ]),
  },
  {
    name: 'update: every member changed',
    largest: 150_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', configMaps, filled(size)],
        [
          'PUT',
          `${configMaps}/m?fieldManager=other`,
          configMap({ metadata: { name: 'm' }, data: record(size, () => 'y') }),
        ],
      ),
  },
  {
    name: 'update: every member removed',
    largest: 150_000,
    run: (api, size) =>
      inTurn(api, ['POST', configMaps, filled(size)], ['PUT', `${configMaps}/m?fieldManager=other`, filled(1)]),
  },
  {
    name: 'merge patch: members',
    largest: 150_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', configMaps, filled(1)],
        ['PATCH', `${configMaps}/m`, { data: record(size) }, as('merge-patch+json')],
      ),
  },
  {
    name: 'strategic merge patch: containers',
    largest: 40_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', pods, pod({ containers: [container({ env: list(size, (at) => ({ name: `E${at}`, value: 'x' })) })] })],
        [
          'PATCH',
          `${pods}/p`,
          { spec: { containers: [{ name: 'c', env: list(size, (at) => ({ name: `F${at}`, value: 'y' })) }] } },
          as('strategic-merge-patch+json'),
        ],
      ),
  },
  {
    name: 'strategic merge patch: order of elements',
    largest: 40_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', pods, pod({ containers: [container({ env: list(size, (at) => ({ name: `E${at}`, value: 'x' })) })] })],
        [
          'PATCH',
          `${pods}/p`,
          {
            metadata: { labels: { a: 'b' } },
            spec: {
              containers: [{ name: 'c', '$setElementOrder/env': list(size, (at) => ({ name: `E${size - 1 - at}` })) }],
            },
          },
          as('strategic-merge-patch+json'),
        ],
      ),
  },
  {
    name: 'JSON patch: operations',
    largest: 10_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', configMaps, filled(1)],
        [
          'PATCH',
          `${configMaps}/m`,
          list(size, (at) => ({ op: 'add', path: `/data/k${at}`, value: 'x' })),
          as('json-patch+json'),
        ],
      ),
  },
  {
    name: 'apply: members',
    largest: 150_000,
    run: (api, size) => inTurn(api, ['PATCH', applyPath('a'), filled(size), as('apply-patch+yaml')]),
  },
  {
    name: 'apply: everything dropped again',
    largest: 150_000,
    run: (api, size) =>
      inTurn(
        api,
        ['PATCH', applyPath('a'), filled(size), as('apply-patch+yaml')],
        ['PATCH', applyPath('a'), filled(1), as('apply-patch+yaml')],
      ),
  },
  {
    name: 'apply: conflict over every member',
    largest: 150_000,
    run: (api, size) =>
      inTurn(
        api,
        ['PATCH', applyPath('a'), filled(size), as('apply-patch+yaml')],
        [
          'PATCH',
          applyPath('b'),
          configMap({ metadata: { name: 'm' }, data: record(size, () => 'y') }),
          as('apply-patch+yaml'),
        ],
      ),
  },
  {
    name: 'apply: items with keys',
    largest: 30_000,
    run: (api, size) =>
      inTurn(
        api,
        ...['a', 'b'].map((manager): Parameters<Api['send']> => [
          'PATCH',
          `${pods}/p?fieldManager=${manager}`,
          pod({ containers: [container({ env: list(size, (at) => ({ name: `${manager}${at}`, value: 'x' })) })] }),
          as('apply-patch+yaml'),
        ]),
      ),
  },
  {
    name: 'create: environment of a container',
    largest: 60_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        pods,
        pod({ containers: [container({ env: list(size, (at) => ({ name: `E${at}`, value: 'x' })) })] }),
      ]),
  },
  {
    name: 'create: containers',
    largest: 40_000,
    run: (api, size) =>
      inTurn(api, ['POST', pods, pod({ containers: list(size, (at) => container({ name: `c${at}` })) })]),
  },
  {
    name: 'create: volumes and mounts',
    largest: 20_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        pods,
        pod({
          volumes: list(size, (at) => ({ name: `v${at}`, emptyDir: {} })),
          containers: [container({ volumeMounts: list(size, (at) => ({ name: `v${at}`, mountPath: `/v${at}` })) })],
        }),
      ]),
  },
  {
    name: 'create: tolerations',
    largest: 60_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        pods,
        pod({
          containers: [container({})],
          tolerations: list(size, (at) => ({ key: `k${at}`, operator: 'Exists' })),
        }),
      ]),
  },
  {
    name: 'create: finalizers and owners',
    largest: 40_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        configMaps,
        configMap({
          metadata: {
            name: 'm',
            finalizers: list(size, (at) => `example.com/f${at}`),
            ownerReferences: list(size, (at) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${at}`, uid: `u${at}` })),
          },
        }),
      ]),
  },
  {
    name: 'custom: a set of texts',
    largest: 150_000,
    run: custom(
      {
        type: 'object',
        properties: { set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
      },
      (size) => ({ set: list(size, (at) => `item-${at}`) }),
    ),
  },
  {
    name: 'custom: items with a key',
    largest: 80_000,
    run: custom(
      {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
        },
      },
      (size) => ({ items: list(size, (at) => ({ name: `item-${at}` })) }),
    ),
  },
  {
    name: 'custom: unique items',
    largest: 150_000,
    run: custom({ type: 'object', properties: { all: { type: 'array', items: { type: 'string' } } } }, (size) => ({
      all: list(size, (at) => `item-${at}`),
    })),
  },
  {
    name: 'custom: members that are pruned',
    largest: 150_000,
    run: custom({ type: 'object', properties: { a: { type: 'string' } } }, (size) => record(size)),
  },
  {
    name: 'custom: values of a wrong type',
    largest: 150_000,
    run: custom({ type: 'object', additionalProperties: { type: 'integer' } }, (size) => record(size)),
  },
  {
    name: 'custom: a rule for each item',
    largest: 150_000,
    run: custom(
      {
        type: 'object',
        properties: {
          all: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: "self != ''" }] } },
        },
      },
      (size) => ({ all: list(size, (at) => `item-${at}`) }),
    ),
  },
  {
    name: 'custom: four nested loops of a rule',
    largest: 150_000,
    run: custom(
      {
        type: 'object',
        properties: { all: { type: 'array', items: { type: 'string' } } },
        'x-kubernetes-validations': [
          { rule: "self.all.all(a, self.all.all(b, self.all.all(c, self.all.all(d, a + b + c + d != ''))))" },
        ],
      },
      (size) => ({ all: list(size, (at) => `item-${at}`) }),
    ),
  },
  {
    name: 'custom: deep nesting',
    largest: 1_500,
    run: custom({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, nested),
  },
  {
    name: 'update: tolerations',
    largest: 30_000,
    run: (api, size) => {
      const tolerations = list(size, (at) => ({ key: `k${at}`, operator: 'Exists' }));
      const before = pod({ containers: [container({})], tolerations });
      const after = pod({ containers: [container({})], tolerations: tolerations.toReversed() });
      return inTurn(api, ['POST', pods, before], ['PUT', `${pods}/p`, after]);
    },
  },
  {
    name: 'update: finalizers of what is being deleted',
    largest: 60_000,
    run: (api, size) => {
      const names = (prefix: string) => list(size, (at) => `example.com/${prefix}${at}`);
      const named = (finalizers: readonly unknown[]) => configMap({ metadata: { name: 'm', finalizers } });
      return inTurn(
        api,
        ['POST', configMaps, named(names('f'))],
        ['DELETE', `${configMaps}/m`],
        ['PUT', `${configMaps}/m`, named(names('g'))],
      );
    },
  },
  {
    name: 'update: items with a key and a rule that was broken before',
    largest: 40_000,
    run: async (api, size) => {
      const items = (rules: readonly object[]) => ({
        type: 'object',
        properties: {
          a: { type: 'string' },
          items: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string', 'x-kubernetes-validations': rules } },
            },
          },
        },
      });
      const spec = { items: list(size, (at) => ({ name: `item-${at}` })) };
      return inTurn(
        api,
        ['POST', definitions, definition(items([]))],
        ['POST', lamps, lamp(spec)],
        [
          'PATCH',
          `${definitions}/lamps.example.com`,
          definition(items([{ rule: 'self.size() > 100' }])),
          as('merge-patch+json'),
        ],
        ['PATCH', `${lamps}/l`, { spec: { a: 'b' } }, as('merge-patch+json')],
      );
    },
  },
  {
    name: 'create: one long text',
    largest: 3_000_000,
    run: (api, size) => inTurn(api, ['POST', `${configMaps}?fieldValidation=Strict`, filledWith('x'.repeat(size))]),
  },
  {
    name: 'JSON patch: items before all others',
    largest: 10_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', definitions, definition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })],
        ['POST', lamps, lamp({ all: list(5_000, () => 1) })],
        [
          'PATCH',
          `${lamps}/l`,
          list(size, () => ({ op: 'add', path: '/spec/all/0', value: 1 })),
          as('json-patch+json'),
        ],
      ),
  },
  {
    name: 'JSON patch: copies into each other',
    largest: 10_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', definitions, definition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })],
        ['POST', lamps, lamp({ a: { b: 1 } })],
        [
          'PATCH',
          `${lamps}/l`,
          list(size, () => ({ op: 'copy', from: '/spec/a', path: '/spec/a/c' })),
          as('json-patch+json'),
        ],
      ),
  },
  {
    name: 'list: label selector',
    largest: 1_500,
    run: (api, size) => inTurn(api, ['GET', `${configMaps}?labelSelector=${list(size, (at) => `k${at}`).join(',')}`]),
  },
  {
    name: 'list: set of a label selector',
    largest: 1_500,
    run: (api, size) =>
      inTurn(api, ['GET', `${configMaps}?labelSelector=a%20in%20(${list(size, (at) => `k${at}`).join(',')})`]),
  },
  {
    name: 'list: field selector',
    largest: 1_500,
    run: (api, size) =>
      inTurn(api, ['GET', `${configMaps}?fieldSelector=${list(size, (at) => `metadata.name!=n${at}`).join(',')}`]),
  },
  {
    name: 'list: a table of one large object',
    largest: 150_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', configMaps, filled(size)],
        ['GET', configMaps, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }],
      ),
  },
  {
    name: 'list: YAML',
    largest: 150_000,
    run: (api, size) =>
      inTurn(api, ['POST', configMaps, filled(size)], ['GET', configMaps, undefined, { accept: 'application/yaml' }]),
  },
  {
    name: 'watch: one large object',
    largest: 150_000,
    run: async (api, size) => {
      const { close } = await api.watch(`${configMaps}?watch=true`);
      const status = await inTurn(api, ['POST', configMaps, filled(size)]);
      close();
      return status;
    },
  },
  {
    name: 'definition: properties, and their OpenAPI',
    largest: 40_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', definitions, definition({ type: 'object', properties: record(size, () => ({ type: 'string' })) })],
        ['GET', '/openapi/v3/apis/example.com/v1'],
      ),
  },
  {
    name: 'review: a long token',
    largest: 3_000_000,
    run: (api, size) =>
      inTurn(api, ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x'.repeat(size) } }]),
  },
  {
    name: 'review: groups of a subject',
    largest: 150_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        {
          spec: {
            user: 'u',
            groups: list(size, (at) => `g${at}`),
            resourceAttributes: { verb: 'get', resource: 'pods' },
          },
        },
      ]),
  },
  { name: 'a long path', largest: 8_000, run: (api, size) => inTurn(api, ['GET', `/${'a/'.repeat(size)}`]) },
];

/** An object in an object in an object, built from the inside. */
function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}
