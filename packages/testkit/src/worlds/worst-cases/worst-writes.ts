import {
  configMaps,
  pods,
  definitions,
  record,
  list,
  configMap,
  labelled,
  filled,
  filledWith,
  as,
  applyPath,
  definition,
  lamp,
  pod,
  container,
  inTurn,
  lamps,
  type Api,
  type WorstCase,
} from './requests.ts';

/** Writes of objects that are built in. */
export const worstWrites: readonly WorstCase[] = [
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
];
