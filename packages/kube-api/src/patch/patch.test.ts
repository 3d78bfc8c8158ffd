import { describe, expect, test } from 'vitest';
import { defaultBuiltin } from '../builtin/defaults.ts';
import { builtinSchema, groupVersionKindOf } from '../schema/definitions.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt } from '../schema/json.ts';
import { answerOf, type Exchange, recorded } from '@nodewright/testkit/worlds';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import type { PatchOutcome } from './outcome.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

/** Rows of which the patch itself is only a part: what refuses them is a check that comes after it, or decoding before. */
const judgedElsewhere = new Set([
  'merge-bad-json',
  // A finalizer went between this row and the one before, in a request that was not recorded.
  'merge-list-replace',
  'merge-rename',
  'merge-change-uid',
  'merge-change-ns',
  'merge-change-kind',
  'json-test-rv',
  'json-set-rv-stale',
  'node-422-providerid',
  'node-422-taint-bad',
]);

const isPatch = (exchange: Exchange): boolean =>
  exchange.request.method === 'PATCH' && !judgedElsewhere.has(exchange.slug);

function apply(exchange: Exchange, doc: JsonObject): PatchOutcome {
  const patch: JsonValue = JSON.parse(exchange.request.body ?? 'null');
  const type = exchange.request.headers['Content-Type'] ?? '';
  if (type.startsWith('application/json-patch+json')) return applyJsonPatch(doc, patch);
  if (type.startsWith('application/merge-patch+json')) return applyMergePatch(doc, patch);
  const { group, version, kind } = groupVersionKindOf(doc);
  return applyStrategicMergePatch({ doc, patch, schema: builtinSchema(group, version, kind) ?? {} });
}

/** Controllers write beside the patches, and the server resets what clients may not change. */
function comparable(object: JsonObject): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const { labels = {}, finalizers = [] } = metadata;
  const rest = object['kind'] === 'Deployment' ? { ...object, status: {} } : object;
  return { ...rest, metadata: { labels, finalizers } };
}

/** Each row patches what the last successful row on the same object left behind. */
function withDocuments(exchanges: readonly Exchange[]): [string, Exchange, JsonObject][] {
  const documents = new Map<string, JsonObject>();
  return exchanges.flatMap((exchange): [string, Exchange, JsonObject][] => {
    const { method, path } = exchange.request;
    const answer = answerOf(exchange);
    if (answer === undefined) return [];
    const key = method === 'POST' ? `${path}/${jsonTextAt(answer, 'metadata', 'name')}` : path.replace(/\/status$/, '');
    const doc = documents.get(key);
    if (exchange.response.status < 300) documents.set(key, answer);
    return doc === undefined || !isPatch(exchange) ? [] : [[exchange.slug, exchange, doc]];
  });
}

describe('a recorded patch', () => {
  test.each(withDocuments(recorded('patch')))('%s has the recorded outcome', (_slug, exchange, doc) => {
    const outcome = apply(exchange, doc);
    const answer = answerOf(exchange) ?? {};
    if (exchange.response.status >= 300) {
      expect(outcome).toMatchObject({ kind: 'refused', code: exchange.response.status, message: answer['message'] });
      return;
    }
    const value = outcome.kind === 'patched' && isObject(outcome.value) ? outcome.value : {};
    expect(comparable(defaultBuiltin(groupVersionKindOf(doc), value))).toEqual(comparable(answer));
  });
});
