import { karpenterCustomResources } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { unpacked } from '@nodewright/testkit/worlds';
import type { Cause } from './cause.ts';
import { applyDefaults, dropNulls } from './defaults.ts';
import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from './json.ts';
import { pruneUnknown } from './prune.ts';
import { checkScaleCount } from './checks/check-scale.ts';
import type { ValueSchema } from './structural.ts';
import { validateCustomResource, type SchemaVerdict } from './validate.ts';

type Expected = {
  readonly status: number;
  readonly object?: JsonObject;
  readonly causes?: readonly ExpectedCause[];
  readonly warnings?: readonly JsonValue[];
};

/** A failed rule has a tag: its text is not part of what was recorded. */
type ExpectedCause = {
  readonly reason?: string;
  readonly field: string;
  readonly message?: string;
  readonly tag?: string;
};

type Case = {
  readonly id: string;
  readonly kind: string;
  readonly note: string;
  readonly op: string;
  readonly before?: JsonObject;
  readonly beforeStatus?: JsonObject;
  readonly manifest?: JsonObject;
  readonly patch?: JsonObject;
  readonly raw?: string;
  readonly query?: string;
  readonly expect: Expected;
};

/** `<<repeat:C:N>>` stands for N times C. */
function expanded(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    return value.replaceAll(/<<repeat:(.):(\d+)>>/g, (_all, text: string, count: string) => text.repeat(Number(count)));
  }
  if (Array.isArray(value)) return value.map(expanded);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [expanded(key) as string, expanded(inner)]))
    : value;
}

const cases = expanded(JSON.parse(unpacked('admission.json.gz')) as JsonValue) as unknown as readonly Case[];

const schemas = new Map(
  karpenterCustomResources.map(({ crd }) => {
    const version = crd.spec.versions.find(({ storage }) => storage);
    return [crd.spec.names.kind, version?.schema.openAPIV3Schema as unknown as ValueSchema];
  }),
);

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const admitted = (schema: ValueSchema, object: JsonObject): JsonObject =>
  asObject(applyDefaults(schema, dropNulls(schema, pruneUnknown(schema, object).value)));

const withoutStatus = ({ status: _status, ...rest }: JsonObject): JsonObject => rest;

const merged = (object: JsonObject, patch: JsonObject): JsonObject => {
  const outcome = applyMergePatch(object, patch);
  return outcome.kind === 'patched' ? asObject(outcome.value) : {};
};

type Write = { readonly value: JsonObject; readonly old?: JsonObject; readonly subresource?: 'status' };

/** The object that a case wants to store, and what is stored when it does. */
function writeOf(schema: ValueSchema, { op, before, beforeStatus, manifest, patch }: Case): Write {
  const stored = admitted(schema, withoutStatus(before ?? {}));
  const old = beforeStatus === undefined ? stored : admitted(schema, merged(stored, beforeStatus));
  const kept = old['status'] === undefined ? {} : { status: old['status'] };
  switch (op) {
    case 'create':
      return { value: admitted(schema, withoutStatus(manifest ?? {})) };
    case 'update':
    case 'update-stored':
      return { value: { ...admitted(schema, withoutStatus(manifest ?? {})), ...kept }, old };
    case 'patch':
      return { value: { ...admitted(schema, withoutStatus(merged(old, patch ?? {}))), ...kept }, old };
    case 'put-status':
      return { value: statusOnly(schema, old, { ...old, ...patch }), old, subresource: 'status' };
    default:
      return { value: statusOnly(schema, old, merged(old, patch ?? {})), old, subresource: 'status' };
  }
}

function statusOnly(schema: ValueSchema, old: JsonObject, wanted: JsonObject): JsonObject {
  const status = valueAtPath(admitted(schema, wanted), 'status');
  return status === undefined ? withoutStatus(old) : { ...old, status };
}

function verdictOf(kind: string, schema: ValueSchema, write: Write): SchemaVerdict {
  const verdict = validateCustomResource({ schema, ...write });
  if (kind !== 'NodePool') return verdict;
  const path = write.subresource === 'status' ? '.status.nodes' : '.spec.replicas';
  return { ...verdict, causes: [...verdict.causes, ...checkScaleCount(write.value, path)] };
}

/** A rule's failure counts once per field: how many rules say it is not part of what was recorded. */
const comparable = (
  causes: readonly (Cause | ExpectedCause)[],
  isOfRule: (cause: Cause | ExpectedCause) => boolean,
): string[] =>
  [
    ...new Set(
      causes.map((cause) => [cause.reason, cause.field, isOfRule(cause) ? 'a rule' : cause.message].join(' | ')),
    ),
  ].toSorted();

const served = cases.filter(
  ({ kind, op, raw, query, expect: { status } }) =>
    schemas.has(kind) &&
    raw === undefined &&
    query === undefined &&
    !['apply', 'get-scale', 'put-scale', 'patch-scale'].includes(op) &&
    [200, 201, 422].includes(status),
);

/** Checks of the object's version, kind and of the request are not those of its schema and metadata. */
const isOfSchema = ({ field }: ExpectedCause): boolean =>
  !/^(metadata.resourceVersion|kind|apiVersion|fieldValidation)/.test(field);

/** What only the text of the request tells, and the schema never sees: 2.0 from 2. */
const indistinguishable = new Set(['np-static-replicas-07']);

describe.each([...new Set(served.map(({ kind }) => kind))])('a recorded write of a %s', (kind) => {
  const schema = schemas.get(kind) ?? {};
  const meant = served.filter((row) => row.kind === kind && !indistinguishable.has(row.id));
  test.each(meant.map((row) => [row.id, row.note, row] as const))(
    '%s (%s) is judged as recorded',
    (_id, _note, row) => {
      const write = writeOf(schema, row);
      const verdict = verdictOf(kind, schema, write);
      const expectedCauses = (row.expect.causes ?? []).filter(isOfSchema);
      const ruleFields = new Set(expectedCauses.filter(({ tag }) => tag !== undefined).map(({ field }) => field));
      const isOfRule = (cause: Cause | ExpectedCause): boolean =>
        ('tag' in cause && cause.tag !== undefined) ||
        (ruleFields.has(cause.field) && !expectedCauses.some(({ message }) => message === cause.message));
      expect(comparable(verdict.causes, isOfRule)).toEqual(comparable(expectedCauses, isOfRule));
      if (row.expect.object === undefined) return;
      expect(memberOf(write.value, 'spec')).toEqual(memberOf(row.expect.object, 'spec'));
      expect(asObject(memberOf(write.value, 'status'))).toEqual(asObject(memberOf(row.expect.object, 'status')));
      const toldFields = (row.expect.warnings ?? []).filter(isObject).map((warning) => jsonTextAt(warning, 'field'));
      const warned = verdict.warnings
        .map((text) => text.split(': ')[0])
        .filter((field) => field !== 'metadata.finalizers');
      expect([...new Set(warned)]).toEqual([...new Set(toldFields)]);
    },
  );
});
