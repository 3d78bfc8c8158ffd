import { byTextOf } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from './json.ts';
import { answerOf, type Exchange, recorded, sentBy } from '@nodewright/testkit/worlds';
import type { Cause } from './cause.ts';
import { applyDefaults, dropNulls } from './defaults.ts';
import { pruneUnknown } from './prune.ts';
import { checkScaleCount } from './checks/check-scale.ts';
import type { ValueSchema } from './structural.ts';
import { validateCustomResource } from './validate.ts';

const exchanges = recorded('crd');

const exchange = (slug: string): Exchange => {
  const found = exchanges.find((candidate) => candidate.slug === slug);
  if (found === undefined) throw new Error(`nothing recorded as ${slug}`);
  return found;
};

const widgetSchema = (): ValueSchema => {
  const versions = valueAtPath(sentBy(exchange('create')), 'spec', 'versions');
  return valueAtPath(Array.isArray(versions) ? versions[0] : null, 'schema', 'openAPIV3Schema') as ValueSchema;
};

const schema = widgetSchema();

function admitted(object: JsonObject): JsonObject {
  const { value } = pruneUnknown(schema, object);
  const complete = applyDefaults(schema, dropNulls(schema, value));
  return isObject(complete) ? complete : {};
}

const sorted = (causes: readonly JsonValue[]): JsonValue[] =>
  causes.toSorted(byTextOf((cause) => JSON.stringify(cause)));

const causesOf = (object: JsonObject, old?: JsonObject): Cause[] => {
  const value = admitted(object);
  const { causes } = validateCustomResource({ schema, value, ...(old !== undefined && { old }) });
  return [...causes, ...checkScaleCount(value, '.spec.replicas')];
};

/** Causes that other parts of the server add. */
const isOfSchema = (cause: JsonValue): boolean => jsonTextAt(cause, 'field') !== 'kind';

const isWidget = (exchange: Exchange): boolean => jsonTextAt(sentBy(exchange), 'kind') === 'Widget';

const refused = exchanges.filter(
  (candidate) => candidate.request.method === 'POST' && candidate.response.status === 422 && isWidget(candidate),
);

describe('a widget', () => {
  test.each(refused.map((candidate) => [candidate.slug, candidate] as const))(
    'is refused as recorded: %s',
    (_slug, candidate) => {
      const causes = valueAtPath(answerOf(candidate), 'details', 'causes');
      const expected = (Array.isArray(causes) ? causes : []).filter(isOfSchema);
      expect(sorted(causesOf(sentBy(candidate) ?? {}))).toEqual(sorted(expected));
    },
  );

  const accepted = exchanges.filter(
    (candidate) => candidate.request.method === 'POST' && candidate.response.status === 201 && isWidget(candidate),
  );
  test.each(accepted.map((candidate) => [candidate.slug, candidate] as const))(
    'is accepted as recorded: %s',
    (_slug, candidate) => {
      const sent = sentBy(candidate) ?? {};
      const named = { ...sent, metadata: memberOf(answerOf(candidate), 'metadata') ?? {} };
      expect(causesOf(named)).toEqual([]);
      expect(memberOf(admitted(sent), 'spec')).toEqual(memberOf(answerOf(candidate), 'spec'));
    },
  );
});

const base: JsonObject = { spec: { replicas: 1 } };
const widget = (spec: JsonObject): JsonObject => ({ spec: { replicas: 1, ...spec } });

describe('an update of a widget', () => {
  test.each([
    { slug: '422-cr-cel-transition', old: widget({ immutable: 'one' }), now: widget({ immutable: 'two' }) },
    { slug: '422-cr-cel-optionaloldself', old: widget({ opt: 'one' }), now: widget({ opt: 'two' }) },
    { slug: '422-cr-patch-invalid', old: base, now: widget({ replicas: 100 }) },
  ])('is refused as recorded: $slug', ({ slug, old, now }) => {
    expect(causesOf(now, admitted(old))).toEqual(valueAtPath(answerOf(exchange(slug)), 'details', 'causes'));
  });

  test('lets a transition rule rest while there is nothing to compare with', () => {
    expect(causesOf(widget({ immutable: 'two' }), admitted(base))).toEqual([]);
  });

  test('tolerates what was wrong in the store and stays, and warns about a rule', () => {
    const old = admitted(widget({ name: 'WRONG', tags: { 'aws:x': 'y' } }));
    const value = admitted(widget({ name: 'WRONG', tags: { 'aws:x': 'y' }, ttl: '1h' }));
    expect(validateCustomResource({ schema, value, old })).toEqual({
      causes: [],
      warnings: ['spec.tags: Invalid value: tag keys must not start with aws:'],
    });
  });

  test('judges the status alone when the status is written', () => {
    const value = admitted({ spec: { replicas: 99 }, status: { ready: 'x' } });
    const { causes } = validateCustomResource({ schema, value, subresource: 'status' });
    expect(causes).toEqual(valueAtPath(answerOf(exchange('422-cr-status-invalid')), 'details', 'causes'));
  });
});

describe('rules that cost too much', () => {
  const items = Array.from({ length: 2_000 }, (_, index) => `item-${index}`);
  const withRules = (...rules: readonly string[]): ValueSchema => ({
    type: 'object',
    properties: { all: { type: 'array', items: { type: 'string' } } },
    'x-kubernetes-validations': rules.map((rule) => ({ rule, message: 'no' })),
  });
  const messages = (rules: ValueSchema, all: readonly string[] = items) =>
    validateCustomResource({ schema: rules, value: { all: [...all] } }).causes.map(({ message }) => message);

  test('end with the first that costs more than one may', () => {
    expect(messages(withRules('self.all.all(a, self.all.all(b, a + b != ""))', 'false'))).toEqual([
      `Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: no`,
    ]);
  });

  test('end when they have spent what all of them may together', () => {
    const rules = Array.from({ length: 40 }, () => 'self.all.all(a, a in self.all)');
    expect(messages(withRules(...rules), items.slice(0, 480))).toEqual([
      'Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });
});
