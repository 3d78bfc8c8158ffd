import { describe, expect, test } from 'vitest';
import { valueAtPath, isObject, type JsonValue, type JsonObject, jsonTextAt } from '../schema/json.ts';
import { pruneUnknown } from '../schema/prune.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { answerOf, type Exchange, recorded, sentBy } from '@nodewright/testkit/worlds';
import { defaultBuiltin } from './defaults.ts';
import { builtinSchema, groupVersionKindOf } from '../schema/definitions.ts';
import { validateBuiltin } from './validate.ts';

const sections = [
  'errors',
  'patch',
  'deletion',
  'eviction',
  'lease',
  'events',
  'misc',
  'generatename',
  'subresources',
  'crd',
];
const exchanges = sections.flatMap(recorded);

const named = (slug: string): Exchange => {
  const found = exchanges.find((exchange) => exchange.slug === slug);
  if (found === undefined) throw new Error(`nothing recorded as ${slug}`);
  return found;
};

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const isBuiltin = (object: JsonObject | undefined): boolean => {
  const { group, version, kind } = groupVersionKindOf(object ?? {});
  return builtinSchema(group, version, kind) !== undefined;
};

function complete(object: JsonObject, exchange: Exchange): JsonObject {
  const type = groupVersionKindOf(object);
  const { value } = pruneUnknown(builtinSchema(type.group, type.version, type.kind) ?? {}, object);
  const namespace = /\/namespaces\/([^/]+)\//.exec(exchange.request.path)?.[1];
  const known = asObject(value);
  const metadata = { ...asObject(known['metadata']), ...(namespace !== undefined && { namespace }) };
  return defaultBuiltin(type, { ...known, metadata });
}

const causesOf = (exchange: Exchange): JsonValue => valueAtPath(answerOf(exchange), 'details', 'causes') ?? [];

/** What the server says before or beside the checks of a kind. */
const judgedElsewhere = new Set([
  '422-fieldvalidation-bogus',
  '422-fieldmanager-too-long',
  '422-bad',
  '422-configmap-too-long',
  'cr-generatename',
  // Told in the words of another compiler, or not estimated at all.
  '422-crd-cel-compile',
  '422-crd-cel-cost',
  '422-crd-messageexpression-cost',
]);

const refused = exchanges.filter(
  (exchange) =>
    exchange.request.method === 'POST' &&
    exchange.response.status === 422 &&
    isBuiltin(sentBy(exchange)) &&
    !judgedElsewhere.has(exchange.slug),
);

describe('a new object', () => {
  test.each(refused.map((exchange) => [exchange.slug, exchange] as const))(
    'is refused as recorded: %s',
    (_slug, exchange) => {
      const object = complete(sentBy(exchange) ?? {}, exchange);
      expect(validateBuiltin({ type: groupVersionKindOf(object), object })).toEqual(causesOf(exchange));
    },
  );

  const accepted = exchanges.filter(
    (exchange) =>
      exchange.request.method === 'POST' &&
      exchange.response.status === 201 &&
      isBuiltin(sentBy(exchange)) &&
      jsonTextAt(answerOf(exchange), 'metadata', 'name') !== '' &&
      !/review|\/binding|\/token|\/eviction/.test(exchange.request.path),
  );
  test.each(accepted.map((exchange) => [exchange.slug, exchange] as const))(
    'is accepted as recorded: %s',
    (_slug, exchange) => {
      const { name } = asObject(answerOf(exchange)?.['metadata']);
      const sent = sentBy(exchange) ?? {};
      const object = complete({ ...sent, metadata: { ...asObject(sent['metadata']), name: name ?? '' } }, exchange);
      expect(validateBuiltin({ type: groupVersionKindOf(object), object })).toEqual([]);
    },
  );
});

describe('a change', () => {
  test.each([
    { slug: '422-deploy-immutable-selector', before: '201-deploy' },
    { slug: '422-deploy-negative-replicas', before: '201-deploy' },
    { slug: 'node-422-providerid', before: 'node-taint-strategic' },
    { slug: 'node-422-taint-bad', before: 'node-taint-strategic' },
    { slug: '422-secret-immutable', before: 'secret-stringdata' },
    { slug: 'rbac-roleref-immutable', before: 'rbac-binding' },
  ])('is refused as recorded: $slug', ({ slug, before }) => {
    const old = answerOf(named(before)) ?? {};
    const outcome = applyMergePatch(old, sentBy(named(slug)) ?? {});
    const object = complete(outcome.kind === 'patched' ? asObject(outcome.value) : {}, named(slug));
    expect(validateBuiltin({ type: groupVersionKindOf(old), object, old })).toEqual(causesOf(named(slug)));
  });

  test('of the command of a running pod is forbidden', () => {
    const old = answerOf(named('201-pod-defaults')) ?? {};
    const outcome = applyMergePatch(old, { spec: { terminationGracePeriodSeconds: 5 } });
    const object = outcome.kind === 'patched' ? asObject(outcome.value) : {};
    const [cause] = validateBuiltin({ type: groupVersionKindOf(old), object, old });
    const [expected] = causesOf(named('422-pod-update-immutable')) as JsonObject[];
    expect(cause?.field).toBe('spec');
    expect(jsonTextAt(expected, 'message')).toContain(cause?.message);
  });
});
