import { describe, expect, test } from 'vitest';
import { defaultBuiltin } from '../builtin/defaults.ts';
import { pruneUnknown } from '../schema/prune.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { builtinSchema } from '../schema/definitions.ts';
import { anApiServer } from '@nodewright/testkit/worlds';
import type { Resource } from './resource.ts';
import { partialChange, markSettled } from './settled.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web', ports: [{ containerPort: 80 }] }] },
};
const selector = { matchLabels: { app: 'web' } };
const named = { name: 'web' };

/** What is stored is taken for complete when it is changed later. */
describe('what a create stores is complete', () => {
  for (const { path, group, version, kind, body } of [
    { path: '/api/v1/namespaces/default/pods', group: '', version: 'v1', kind: 'Pod', body: template },
    {
      path: '/api/v1/namespaces/default/services',
      group: '',
      version: 'v1',
      kind: 'Service',
      body: { spec: { ports: [{ port: 80 }] } },
    },
    {
      path: '/api/v1/nodes',
      group: '',
      version: 'v1',
      kind: 'Node',
      body: { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    },
    {
      path: '/apis/apps/v1/namespaces/default/deployments',
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      body: { spec: { selector, template } },
    },
    {
      path: '/apis/apps/v1/namespaces/default/daemonsets',
      group: 'apps',
      version: 'v1',
      kind: 'DaemonSet',
      body: { spec: { selector, template } },
    },
    {
      path: '/apis/batch/v1/namespaces/default/jobs',
      group: 'batch',
      version: 'v1',
      kind: 'Job',
      body: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  ]) {
    test(kind, async () => {
      const { send } = anApiServer();
      const { status, body: stored } = await send('POST', path, {
        ...body,
        metadata: { ...named, ...('metadata' in body ? body.metadata : {}) },
      });
      expect(status).toBe(201);
      const schema = builtinSchema(group, version, kind) ?? {};
      const again = defaultBuiltin(
        { group, version, kind },
        pruneUnknown(schema, stored as JsonObject).value as JsonObject,
      );
      expect(again).toEqual(stored);
    });
  }
});

describe('of an object that is changed', () => {
  const resource = { group: '', version: 'v1', schema: {} } as unknown as Resource;
  const before: ApiObject = {
    kind: 'A',
    apiVersion: 'v1',
    metadata: { name: 'a', labels: { b: 'c' } },
    spec: { d: 1 },
    status: {},
  };
  const after: ApiObject = { ...before, metadata: { ...before.metadata, annotations: {} }, status: { e: 2 } };

  test('only what changed is looked at, and the rest is put back in its order', () => {
    const { part, whole } = partialChange(resource, markSettled(resource, before), after);
    expect(part).toEqual({ kind: 'A', apiVersion: 'v1', metadata: { name: 'a', annotations: {} }, status: { e: 2 } });
    const complete = whole({ ...part, status: { e: 3 }, more: true });
    expect(complete).toEqual({ ...after, status: { e: 3 }, more: true });
    expect(Object.keys(complete)).toEqual(['kind', 'apiVersion', 'metadata', 'spec', 'status', 'more']);
    expect(complete['spec']).toBe(before['spec']);
  });

  test('everything is looked at when it was stored under another schema', () => {
    const other = { ...resource, schema: {} } as Resource;
    expect(partialChange(other, markSettled(resource, before), after).part).toBe(after);
  });
});
