import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultBuiltin } from '../builtin/defaults.ts';
import { emptyBuiltin } from '../builtin/empty.ts';
import { builtinSchema, groupVersionKindOf } from '../schema/definitions.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyDefaults, dropNulls } from '../schema/defaults.ts';
import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from '../schema/json.ts';
import { pruneUnknown } from '../schema/prune.ts';
import type { ValueSchema } from '../schema/structural.ts';
import { answerOf, type Exchange, recorded, sentBy } from '@nodewright/testkit/worlds';
import { serverSideApply } from './server-side-apply.ts';
import { trackManagedFields } from './track-managed-fields.ts';

const widgetSchema = (): ValueSchema => {
  const create = recorded('crd').find(({ slug }) => slug === 'create');
  const versions = create === undefined ? undefined : valueAtPath(sentBy(create), 'spec', 'versions');
  return valueAtPath(Array.isArray(versions) ? versions[0] : null, 'schema', 'openAPIV3Schema') as ValueSchema;
};

const widgets = widgetSchema();

function schemaOf(object: JsonObject): ValueSchema {
  const { group, version, kind } = groupVersionKindOf(object);
  return builtinSchema(group, version, kind) ?? widgets;
}

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const isBuiltin = (object: JsonObject): boolean => {
  const { group, version, kind } = groupVersionKindOf(object);
  return builtinSchema(group, version, kind) !== undefined;
};

const completed = (object: JsonObject): JsonObject =>
  isBuiltin(object)
    ? defaultBuiltin(groupVersionKindOf(object), object)
    : asObject(applyDefaults(widgets, dropNulls(widgets, object)));

const owners = (object: JsonObject | undefined): JsonValue[] => {
  const entries = valueAtPath(object, 'metadata', 'managedFields');
  return Array.isArray(entries) ? entries : [];
};

/** When the recorded write happened: the latest time in its answer. */
const nowOf = (exchange: Exchange): string =>
  owners(answerOf(exchange))
    .map((entry) => jsonTextAt(entry, 'time'))
    .toSorted()
    .at(-1) ?? '2026-11-20T20:15:53Z';

const query = (exchange: Exchange): URLSearchParams => new URL(exchange.request.path, 'http://server').searchParams;

/** What is refused before or after the merge, by the server itself. */
const judgedElsewhere = new Set([
  'no-fieldmanager',
  'bad-yaml',
  'no-apiversion',
  'rv-conflict',
  'force-on-merge-patch',
  'clear-managedfields',
  'apply-cluster-404-namespace',
]);

function applied(exchange: Exchange, live: JsonObject | undefined) {
  const sent: JsonObject = parse(exchange.request.body ?? '');
  const isStatus = exchange.request.path.includes('/status?');
  return serverSideApply({
    ...(live !== undefined && { live }),
    applied: sent,
    schema: schemaOf(sent),
    manager: query(exchange).get('fieldManager') ?? '',
    force: query(exchange).get('force') === 'true',
    apiVersion: jsonTextAt(sent, 'apiVersion'),
    ...(isStatus && { subresource: 'status' }),
    now: nowOf(exchange),
  });
}

function merged(exchange: Exchange, live: JsonObject): JsonObject {
  const outcome = applyMergePatch(live, sentBy(exchange) ?? {});
  const after = outcome.kind === 'patched' ? asObject(outcome.value) : {};
  const managedFields = trackManagedFields({
    before: live,
    after,
    schema: schemaOf(live),
    manager: query(exchange).get('fieldManager') ?? '',
    apiVersion: jsonTextAt(live, 'apiVersion'),
    now: nowOf(exchange),
  });
  return { ...after, metadata: { ...asObject(after['metadata']), managedFields: managedFields } };
}

/** Each row works on what the row before left behind. */
function rows(section: string, isMeant: (exchange: Exchange) => boolean): [string, Exchange, JsonObject | undefined][] {
  let live: JsonObject | undefined;
  return recorded(section)
    .filter(
      (exchange) => exchange.request.method === 'PATCH' && isMeant(exchange) && !judgedElsewhere.has(exchange.slug),
    )
    .map((exchange) => {
      const before = live;
      const isStored = exchange.response.status < 300 && !exchange.request.path.includes('dryRun');
      if (isStored) live = answerOf(exchange);
      return [exchange.slug, exchange, before];
    });
}

const configMapRows = rows('apply', ({ request }) => request.path.includes('/configmaps/s?'));
const widgetRows = rows('crd', ({ request }) => /\/widgets\/ap(\/status)?\?/.test(request.path));

describe.each([
  { of: 'config map', table: configMapRows },
  { of: 'widget', table: widgetRows },
])('a $of', ({ table }) => {
  test.each(table)('is applied as recorded: %s', (_slug, exchange, live) => {
    const answer = answerOf(exchange) ?? {};
    if (exchange.request.headers['Content-Type'] !== 'application/apply-patch+yaml') {
      expect(owners(merged(exchange, live ?? {}))).toEqual(owners(answer));
      return;
    }
    const outcome = applied(exchange, live);
    if (outcome.kind !== 'applied') {
      expect(outcome).toMatchObject({ message: answer['message'] });
      if (outcome.kind === 'conflict') expect(outcome.causes).toEqual(valueAtPath(answer, 'details', 'causes'));
      return;
    }
    expect(owners(outcome.object)).toEqual(owners(answer));
    for (const part of ['data', 'spec', 'status']) {
      expect(memberOf(completed(outcome.object), part)).toEqual(memberOf(answer, part));
    }
  });
});

describe('a deployment', () => {
  const deployments = recorded('apply').filter(({ slug }) => slug.startsWith('deployment-'));
  const named = (slug: string): Exchange => {
    const found = deployments.find((exchange) => exchange.slug === `deployment-${slug}`);
    if (found === undefined) throw new Error(`nothing recorded as deployment-${slug}`);
    return found;
  };
  const created = (): JsonObject => {
    const outcome = applied(named('create'), undefined);
    return outcome.kind === 'applied' ? completed(outcome.object) : {};
  };
  const scaled = (): JsonObject => {
    const before = created();
    const after: JsonObject = { ...before, spec: { ...asObject(before['spec']), replicas: 1 } };
    const request = {
      before,
      after,
      schema: schemaOf(before),
      manager: 'hpa',
      apiVersion: 'apps/v1',
      subresource: 'scale',
      now: nowOf(named('create')),
    };
    return { ...after, metadata: { ...asObject(after['metadata']), managedFields: trackManagedFields(request) } };
  };

  test('is created with list items owned by their keys', () => {
    expect(owners(created())).toEqual(owners(answerOf(named('create'))));
    expect(created()['spec']).toEqual(answerOf(named('create'))?.['spec']);
  });

  test('reports a count that the scale subresource took over', () => {
    const answer = answerOf(named('conflict-replicas'));
    expect(applied(named('conflict-replicas'), scaled())).toMatchObject({
      kind: 'conflict',
      message: answer?.['message'],
    });
  });

  test('takes a container from a second manager', () => {
    const outcome = applied(named('list-item'), scaled());
    const object = outcome.kind === 'applied' ? outcome.object : {};
    const answer = answerOf(named('list-item'));
    const byName = (entry: JsonValue): boolean => ['alice', 'sidecar'].includes(jsonTextAt(entry, 'manager'));
    expect(owners(object).filter(byName)).toEqual(owners(answer).filter(byName));
    expect(completed(object)['spec']).toEqual(answer?.['spec']);
  });

  test('keeps what a manager of its status applied apart', () => {
    const live = answerOf(named('list-item'));
    const outcome = applied(named('status-apply'), live);
    const object = outcome.kind === 'applied' ? outcome.object : {};
    expect(owners(object)).toEqual(owners(answerOf(named('status-apply'))));
  });
});

describe.each(['errors', 'patch', 'dryrun', 'subresources', 'eviction', 'deletion', 'lease', 'events', 'misc', 'crd'])(
  'a create in the recorded %s',
  (section) => {
    const creates = recorded(section).filter(
      (exchange) =>
        exchange.request.method === 'POST' &&
        exchange.response.status === 201 &&
        owners(answerOf(exchange)).length > 0 &&
        !exchange.request.path.endsWith('/token') &&
        jsonTextAt(sentBy(exchange), 'kind') === jsonTextAt(answerOf(exchange), 'kind') &&
        (isBuiltin(sentBy(exchange) ?? {}) || jsonTextAt(sentBy(exchange), 'kind') === 'Widget'),
    );
    test.each(creates.map((exchange) => [exchange.slug, exchange] as const))(
      'has the recorded owners: %s',
      (_slug, exchange) => {
        const sent = sentBy(exchange) ?? {};
        const after = completed(asObject(pruneUnknown(schemaOf(sent), sent).value));
        const managedFields = trackManagedFields({
          ...(isBuiltin(sent) && { before: emptyBuiltin(groupVersionKindOf(sent)) }),
          after,
          schema: schemaOf(sent),
          manager: 'golden-recorder',
          apiVersion: jsonTextAt(sent, 'apiVersion'),
          now: nowOf(exchange),
        });
        expect(managedFields).toEqual(owners(answerOf(exchange)));
      },
    );
  },
);
