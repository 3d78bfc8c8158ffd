import { readOwn } from '@nodewright/apis';
import { decideForBothWords, inheritedWords } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

/** What plain objects inherit; a word that leads there must not change it. */
const prototype: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(Object.getOwnPropertyDescriptors(Object.prototype)).map(([word, { value }]) => [word, value]),
);

type Send = ReturnType<typeof anApiServer>['send'];

const maps = '/api/v1/namespaces/default/configmaps';
const map = (members: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, ...members });
const withWord = (word: string, value: unknown): object => Object.fromEntries([[word, value]]);
const asPatch = (form: string) => ({ 'content-type': `application/${form}` });

const lamps = (properties: object, more: object = {}, rule?: string): object => ({
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
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties,
                ...more,
                ...(rule === undefined ? {} : { 'x-kubernetes-validations': [{ rule, message: 'the rule says no' }] }),
              },
            },
          },
        },
      },
    ],
  },
});

/** Creates a definition with a kind of its own and then an object of it. */
async function makeLamp(send: Send, definition: object, spec: object): Promise<readonly unknown[]> {
  const defined = await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'desk' }, spec };
  return [defined.status, await send('POST', '/apis/example.com/v1/lamps', lamp)];
}

const label = (word: string): string =>
  word.startsWith('__') ? `__underscores__${word.slice(2, -2)}__underscores__` : word;

const places: Readonly<Record<string, (send: Send, word: string) => Promise<unknown>>> = {
  'a label that is there': async (send, word) => [
    await send('POST', maps, map({ metadata: { name: 'm', labels: withWord(word, 'x') } })),
    await send('GET', `${maps}?labelSelector=${word}%3Dx`),
    await send('GET', `${maps}?labelSelector=!${word}`),
  ],
  'a label that is not there': async (send, word) => {
    await send('POST', maps, map({ metadata: { name: 'm', labels: { app: 'x' } } }));
    return [
      await send('GET', `${maps}?labelSelector=${word}`),
      await send('GET', `${maps}?labelSelector=!${word}`),
      await send('GET', `${maps}?labelSelector=${word}%20notin%20(x)`),
    ];
  },
  'an annotation': (send, word) =>
    send('POST', maps, map({ metadata: { name: 'm', annotations: withWord(word, 'x') } })),
  'a merge patch': async (send, word) => [
    await send('POST', maps, map({ data: { a: '1' } })),
    await send('PATCH', `${maps}/m`, { data: withWord(word, '2') }, asPatch('merge-patch+json')),
    await send('PATCH', `${maps}/m`, { metadata: { labels: withWord(word, '2') } }, asPatch('merge-patch+json')),
    await send('PATCH', `${maps}/m`, { data: withWord(word, null) }, asPatch('merge-patch+json')),
    await send('PATCH', `${maps}/m`, withWord(word, { a: 1 }), asPatch('merge-patch+json')),
  ],
  'a strategic merge patch': async (send, word) => [
    await send('POST', maps, map({ data: { a: '1' } })),
    await send('PATCH', `${maps}/m`, { data: withWord(word, '2') }, asPatch('strategic-merge-patch+json')),
    await send('PATCH', `${maps}/m`, { data: withWord(word, null) }, asPatch('strategic-merge-patch+json')),
    await send('PATCH', `${maps}/m`, withWord(word, { a: '1' }), asPatch('strategic-merge-patch+json')),
  ],
  'a JSON patch': async (send, word) => {
    const patch = (...operations: readonly object[]) =>
      send('PATCH', `${maps}/m`, operations, asPatch('json-patch+json'));
    return [
      await send('POST', maps, map({ data: { a: '1' } })),
      await patch({ op: 'test', path: `/data/${word}`, value: '1' }),
      await patch({ op: 'remove', path: `/data/${word}` }),
      await patch({ op: 'replace', path: `/data/${word}`, value: '1' }),
      await patch({ op: 'add', path: `/data/${word}/a`, value: '1' }),
      await patch({ op: 'copy', from: `/data/${word}`, path: '/data/b' }),
      await patch({ op: 'add', path: `/data/${word}`, value: '1' }),
      await patch({ op: 'test', path: `/data/${word}`, value: '1' }),
      await patch({ op: 'move', from: `/data/${word}`, path: '/data/b' }),
      await patch({ op: word, path: '/data/a' }),
      await patch({ op: 'add', path: `/metadata/${word}/polluted`, value: true }),
      await patch({ op: 'add', path: `/${word}`, value: { polluted: true } }),
    ];
  },
  'fields that are applied': async (send, word) => {
    const apply = (manager: string, data: object, force = false) =>
      send('PATCH', `${maps}/m?fieldManager=${manager}&force=${force}`, map({ data }), asPatch('apply-patch+yaml'));
    return [
      await apply('one', withWord(word, '1')),
      await apply('two', withWord(word, '2')),
      await apply('two', withWord(word, '2'), true),
      await apply('one', {}),
      await apply('two', { a: '1' }),
    ];
  },
  'an update': async (send, word) => [
    await send('POST', maps, map({ data: withWord(word, '1') })),
    await send('PUT', `${maps}/m`, map({ data: {} })),
    await send('PUT', `${maps}/m`, map({ data: withWord(word, '1') })),
    await send('PUT', `${maps}/m`, map(withWord(word, { a: 1 }))),
  ],
  'a body in YAML': (send, word) =>
    send('POST', `${maps}?fieldValidation=Strict`, map({ data: withWord(word, '1') }), {
      'content-type': 'application/yaml',
    }),
  'a member that no schema has': async (send, word) => [
    await send('POST', `${maps}?fieldValidation=Strict`, map(withWord(word, { a: 1 }))),
    await send('POST', `${maps}?dryRun=All`, map({ metadata: { name: 'm', ...withWord(word, 'x') } })),
    await makeLamp(send, lamps({ watts: { type: 'integer' } }), withWord(word, 1)),
  ],
  'a property of a definition, given': (send, word) =>
    makeLamp(send, lamps(withWord(word, { type: 'integer' }), { required: [word] }), withWord(word, 1)),
  'a property of a definition, required and missing': (send, word) =>
    makeLamp(send, lamps(withWord(word, { type: 'integer' }), { required: [word] }), {}),
  'a property of a definition with a default': (send, word) =>
    makeLamp(send, lamps(withWord(word, { type: 'object', default: { a: '1' } })), {}),
  'a property that is required and not described': (send, word) => makeLamp(send, lamps({}, { required: [word] }), {}),
  'a property that is kept unknown': (send, word) =>
    makeLamp(send, lamps({}, { 'x-kubernetes-preserve-unknown-fields': true }), withWord(word, { b: [1] })),
  'a rule over a member that is there': (send, word) =>
    makeLamp(
      send,
      lamps(withWord(word, { type: 'integer' }), {}, `has(self.${label(word)}) && self.${label(word)} == 1`),
      withWord(word, 1),
    ),
  'a rule over a member that is not there': (send, word) =>
    makeLamp(send, lamps(withWord(word, { type: 'integer' }), {}, `has(self.${label(word)})`), {}),
  'a rule over a key of a map': (send, word) =>
    makeLamp(
      send,
      lamps(
        { map: { type: 'object', additionalProperties: { type: 'string' } } },
        {},
        `'${word}' in self.map && self.map['${word}'] == 'x' && self.map.all(k, k == '${word}')`,
      ),
      { map: withWord(word, 'x') },
    ),
  'a rule over a key that a map lacks': (send, word) =>
    makeLamp(
      send,
      lamps({ map: { type: 'object', additionalProperties: { type: 'string' } } }, {}, `!('${word}' in self.map)`),
      { map: {} },
    ),
  'items with a key of that name': (send, word) =>
    makeLamp(
      send,
      lamps({
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': [word],
          items: { type: 'object', required: [word], properties: withWord(word, { type: 'string' }) },
        },
      }),
      { list: [withWord(word, 'a'), withWord(word, 'a')] },
    ),
  'a resource of a container': async (send, word) => {
    const resources = { requests: withWord(word, '1'), limits: withWord(word, '1') };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} };
    return send('POST', '/api/v1/namespaces/default/pods', {
      ...pod,
      spec: { containers: [{ name: 'c', image: 'i', resources }] },
    });
  },
  'names of groups, kinds and subresources': async (send, word) => [
    await send('GET', `/${word}`),
    await send('GET', `/api/${word}`),
    await send('GET', `/apis/${word}`),
    await send('GET', `/apis/apps/${word}`),
    await send('GET', `/api/v1/${word}`),
    await send('GET', `/api/v1/namespaces/${word}/pods/${word}`),
    await send('GET', `/api/v1/namespaces/default/pods/p/${word}`),
    await send('GET', `/openapi/v3/apis/${word}`),
    await send('POST', maps, { ...map({}), kind: word }),
    await send('POST', maps, { ...map({}), apiVersion: word }),
  ],
  'words of a query and of headers': async (send, word) => [
    await send('GET', `${maps}?fieldSelector=${word}%3Dx`),
    await send('GET', `${maps}?fieldSelector=metadata.${word}%3Dx`),
    await send('GET', `${maps}?${word}=1`),
    await send('POST', `${maps}?fieldValidation=${word}`, map({})),
    await send('POST', `${maps}?dryRun=${word}`, map({})),
    await send('DELETE', `${maps}/m?propagationPolicy=${word}`),
    await send('POST', maps, map({}), { 'content-type': word }),
    await send('PATCH', `${maps}/m`, {}, { 'content-type': word }),
    await send('GET', maps, undefined, { accept: word }),
  ],
};

describe.each(inheritedWords)('the word %s', (word) => {
  test.each(Object.entries(places))('is like any other word: %s', async (_place, ask) => {
    const { inherited, plain } = await decideForBothWords(word, (each) => ask(anApiServer().send, each));
    expect(inherited).toBe(plain);
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(inheritedWords);
    expect(Object.keys(readOwn(prototype, word) ?? {})).toEqual([]);
  });
});
