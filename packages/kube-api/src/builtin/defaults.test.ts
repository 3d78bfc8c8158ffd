import { describe, expect, test } from 'vitest';
import { valueAtPath, isObject, type JsonValue, type JsonObject, jsonTextAt } from '../schema/json.ts';
import { pruneUnknown } from '../schema/prune.ts';
import { answerOf, type Exchange, recorded, sentBy } from '@nodewright/testkit/worlds';
import { changeMember } from './fill.ts';
import { withNewPodStatus } from './new-pod-status.ts';
import { defaultBuiltin } from './defaults.ts';
import { builtinSchema, groupVersionKindOf } from '../schema/definitions.ts';
import { withClusterAddress } from './service-defaults.ts';

const sections = [
  'errors',
  'patch',
  'apply',
  'dryrun',
  'subresources',
  'eviction',
  'deletion',
  'lease',
  'events',
  'misc',
];

const isBuiltin = (object: JsonObject | undefined): object is JsonObject => {
  if (object === undefined || object['kind'] === 'Status') return false;
  const { group, version, kind } = groupVersionKindOf(object);
  return builtinSchema(group, version, kind) !== undefined;
};

function withoutUnknown(object: JsonObject): JsonObject {
  const { group, version, kind } = groupVersionKindOf(object);
  const pruned = pruneUnknown(builtinSchema(group, version, kind) ?? {}, object).value;
  return isObject(pruned) ? pruned : {};
}

const withoutMetadata = (object: JsonObject): JsonObject => ({ ...object, metadata: null });

/** Token volumes have random names, so they are left out of the comparison. */
function withoutTokenVolumes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((item) => !jsonTextAt(item, 'name').startsWith('kube-api-access-')).map(withoutTokenVolumes);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, JsonValue] => [key, withoutTokenVolumes(inner)])
      .filter(([key, inner]) => !(Array.isArray(inner) && inner.length === 0 && key.startsWith('volume'))),
  );
}

/** A recorded pod as it left admission, without what depends on other objects. */
function admittedPod(object: JsonObject, answer: JsonObject): JsonObject {
  const conditions = valueAtPath(answer, 'status', 'conditions');
  const now = Array.isArray(conditions) ? jsonTextAt(conditions[0], 'lastTransitionTime') : '';
  const names = ['serviceAccountName', 'serviceAccount', 'priority', 'preemptionPolicy', 'tolerations'];
  const set = Object.fromEntries(names.map((name) => [name, valueAtPath(answer, 'spec', name) ?? null]));
  return withNewPodStatus(
    changeMember(object, 'spec', (spec) => ({ ...spec, ...set })),
    now,
  );
}

/** What other parts of the server do on a create, so that the defaults can be compared with the whole answer. */
function completed(object: JsonObject, answer: JsonObject): JsonObject {
  if (object['kind'] === 'Pod') return admittedPod(object, answer);
  if (object['kind'] === 'Service') return withClusterAddress(object, jsonTextAt(answer, 'spec', 'clusterIP'));
  if (object['kind'] === 'Namespace') return { ...object, spec: { finalizers: ['kubernetes'] } };
  return { ...object, ...(object['status'] !== undefined && { status: answer['status'] ?? {} }) };
}

/** Reviews are answered, not stored; a binding is not what comes back; the limit range's defaults are another step. */
const isStored = (exchange: Exchange): boolean =>
  !/review|\/binding|\/token|\/eviction/.test(exchange.request.path) && !exchange.slug.startsWith('limitrange');

describe.each(sections)('recorded %s', (section) => {
  const created = recorded(section).filter(
    (exchange) =>
      exchange.request.method === 'POST' &&
      exchange.response.status === 201 &&
      isStored(exchange) &&
      isBuiltin(sentBy(exchange)) &&
      isBuiltin(answerOf(exchange)),
  );
  test.each(created.map((exchange) => [exchange.slug, exchange] as const))(
    '%s is completed as recorded',
    (_, exchange) => {
      const sent = sentBy(exchange) ?? {};
      const answer = answerOf(exchange) ?? {};
      const stored = completed(defaultBuiltin(groupVersionKindOf(sent), withoutUnknown(sent)), answer);
      expect(withoutTokenVolumes(withoutMetadata(stored))).toEqual(withoutTokenVolumes(withoutMetadata(answer)));
    },
  );

  const answers = recorded(section).filter((exchange) => isBuiltin(answerOf(exchange)) && isStored(exchange));
  test.each(answers.map((exchange) => [exchange.slug, exchange] as const))('%s is already complete', (_, exchange) => {
    const answer = answerOf(exchange) ?? {};
    expect(defaultBuiltin(groupVersionKindOf(answer), answer)).toEqual(answer);
  });
});
