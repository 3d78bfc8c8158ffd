import type { Random } from '@nodewright/runtime';
import { drawEdits } from './draw-edits.ts';
import { drawValue } from './draw-value.ts';
import type { SchemaTable, TestedKind } from './kinds.ts';
import { objectName, objectOf, testNamespace } from './paths.ts';
import { isMap, type Json, type JsonMap, type Step } from './step.ts';

type Draw = (random: Random, at: { readonly kind: TestedKind; readonly path: string; readonly table: SchemaTable }) => Step;

const json = 'application/json';
const merge = 'application/merge-patch+json';

/** A request to one of the subresources of the kind; undefined when it has none of those that are tried. */
export function drawSubresource(random: Random, table: SchemaTable, kind: TestedKind): Step | undefined {
  const known = kind.subresources.filter((name) => Object.hasOwn(bySubresource, name));
  if (known.length === 0) return undefined;
  const name = random.pick(known);
  const path = `${objectOf(kind, objectName(random, kind))}/${name}`;
  return bySubresource[name]?.(random, { kind, path, table });
}

function drawStatus(random: Random, { kind, table }: Parameters<Draw>[1]): JsonMap {
  const schema = table.resolve(table.of(kind).properties?.['status'] ?? {});
  const drawn = drawValue(random, table, schema, 'status', 1);
  return isMap(drawn) ? drawn : {};
}

const status: Draw = (random, at) => {
  const { kind, path } = at;
  const drawn = drawStatus(random, at);
  const base = { kind: kind.kind };
  const share = random.next();
  if (share < 0.2) return { ...base, verb: 'get status', method: 'GET', path };
  if (share < 0.6)
    return {
      ...base,
      verb: 'update status',
      method: 'PUT',
      path,
      contentType: json,
      current: path,
      body: {},
      edits: [
        { at: ['status'], value: drawn },
        ...drawEdits(random, { status: drawn }, { table: at.table, schema: at.table.of(kind) }, random.integer(2)),
      ],
    };
  return { ...base, verb: 'patch status', method: 'PATCH', path, contentType: merge, body: { status: drawn } };
};

const scale: Draw = (random, { kind, path }) => {
  const base = { kind: kind.kind };
  const spec = { replicas: random.pick<Json>([0, 1, 3, -1, 'x', null]) };
  const share = random.next();
  if (share < 0.25) return { ...base, verb: 'get scale', method: 'GET', path };
  if (share < 0.5) return { ...base, verb: 'patch scale', method: 'PATCH', path, contentType: merge, body: { spec } };
  if (share < 0.6)
    return {
      ...base,
      verb: 'apply scale',
      method: 'PATCH',
      path: `${path}?fieldManager=one`,
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: testNamespace }, spec },
    };
  return {
    ...base,
    verb: 'update scale',
    method: 'PUT',
    path,
    contentType: json,
    current: path,
    body: {},
    edits: [{ at: ['spec', 'replicas'], value: spec.replicas }],
  };
};

const named = (random: Random): JsonMap => ({ name: random.pick(['a', 'a', 'b']), namespace: testNamespace });

const eviction: Draw = (random, { kind, path }) => ({
  kind: kind.kind,
  verb: 'evict',
  method: 'POST',
  path: `${path}${random.next() < 0.2 ? '?dryRun=All' : ''}`,
  contentType: json,
  body: {
    apiVersion: random.pick(['policy/v1', 'policy/v1', 'policy/v1beta1', 'policy/v9']),
    kind: 'Eviction',
    metadata: named(random),
    ...(random.next() < 0.4 && { deleteOptions: random.pick<Json>([{ gracePeriodSeconds: 0 }, { dryRun: ['All'] }, { propagationPolicy: 'Odd' }]) }),
  },
});

const binding: Draw = (random, { kind, path }) => ({
  kind: kind.kind,
  verb: 'bind',
  method: 'POST',
  path,
  contentType: json,
  body: {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { ...named(random), ...(random.next() < 0.2 && { annotations: { a: 'b' } }) },
    target: random.pick<Json>([{ kind: 'Node', name: 'n' }, { name: 'n' }, { kind: 'Pod', name: 'n' }, { kind: 'Node', name: '' }, {}]),
  },
});

const token: Draw = (random, { kind, path }) => ({
  kind: kind.kind,
  verb: 'token',
  method: 'POST',
  path: random.next() < 0.5 ? path.replace(/[^/]+\/token$/, 'default/token') : path,
  contentType: json,
  body: {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: random.pick<Json>([
      {},
      { audiences: ['x'], expirationSeconds: 3_600 },
      { expirationSeconds: 5 },
      { expirationSeconds: 10_000_000_000 },
      { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'a' } },
      { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } },
      { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'a' } },
    ]),
  },
});

const ephemeralContainers: Draw = (random, { kind, path }) => ({
  kind: kind.kind,
  verb: 'patch ephemeralcontainers',
  method: 'PATCH',
  path,
  contentType: 'application/strategic-merge-patch+json',
  body: {
    spec: {
      ephemeralContainers: random.pick<Json>([
        [{ name: 'd', image: 'i' }],
        [{ name: 'd' }],
        [{ name: 'c', image: 'i' }],
        [{ name: 'd', image: 'i', targetContainerName: 'c', tty: true, stdin: true }],
        [{ name: 'd', image: 'i', ports: [{ containerPort: 1 }] }],
        [],
      ]),
      ...(random.next() < 0.2 && { nodeName: 'x' }),
    },
  },
});

const resize: Draw = (random, { kind, path }) => ({
  kind: kind.kind,
  verb: 'patch resize',
  method: 'PATCH',
  path,
  contentType: 'application/strategic-merge-patch+json',
  body: {
    spec: {
      containers: [
        {
          name: random.pick(['c', 'c', 'none']),
          ...random.pick<JsonMap>([
            { resources: { requests: { cpu: '200m' } } },
            { resources: { limits: { cpu: '1' } } },
            { resources: { requests: { memory: '-1' } } },
            { resources: { requests: { 'example.com/gpu': '1' } } },
            { image: 'j' },
          ]),
        },
      ],
    },
  },
});

const bySubresource: Readonly<Record<string, Draw>> = {
  status,
  approval: status,
  scale,
  eviction,
  binding,
  token,
  ephemeralcontainers: ephemeralContainers,
  resize,
};
