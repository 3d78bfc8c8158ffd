import type { Random } from '@nodewright/runtime';
import type { TestedKind } from './kinds.ts';
import { collectionOf, objectName, objectOf } from './paths.ts';
import type { Step } from './step.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

const objectAccepts = [
  undefined,
  undefined,
  table,
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/yaml',
  'text/html',
];

const listAccepts = [
  undefined,
  undefined,
  undefined,
  table,
  table,
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
];

const labelSelectors = ['run=RUN', 'run=RUN,app', 'run=RUN,app in (web,b)', 'run=RUN,!app', 'run=RUN,app!=web', 'run=RUN,=', 'run=RUN,a=b c'];
const fieldSelectors = ['metadata.name=a', 'metadata.name!=a', 'metadata.namespace=case-RUN', 'status.phase=Running', 'spec.none=1', 'metadata.name', 'type=Opaque'];
const listOptions = ['limit=1', 'limit=0', 'limit=-1', 'limit=x', 'resourceVersion=0', 'resourceVersion=x', 'continue=x', 'resourceVersionMatch=Exact', 'timeoutSeconds=5', 'includeObject=None', 'includeObject=Object'];

/** `GET` of an object, a list, a watch or what describes the API. */
export function drawRead(random: Random, kind: TestedKind): Step {
  const share = random.next();
  if (share < 0.35) return drawGet(random, kind);
  if (share < 0.8) return drawList(random, kind);
  if (share < 0.9) return drawWatch(random, kind);
  return drawDiscovery(random, kind);
}

const read = { method: 'GET' } as const;

function drawGet(random: Random, kind: TestedKind): Step {
  const accept = random.pick(objectAccepts);
  return {
    ...read,
    verb: accept === table ? 'get table' : 'get',
    kind: kind.kind,
    path: `${objectOf(kind, random.next() < 0.9 ? objectName(random, kind) : 'none')}${random.next() < 0.1 ? '?resourceVersion=0' : ''}`,
    ...(accept !== undefined && { accept }),
  };
}

function listQuery(random: Random): string {
  return [
    `labelSelector=${encodeURIComponent(random.next() < 0.6 ? 'run=RUN' : random.pick(labelSelectors))}`,
    ...(random.next() < 0.25 ? [`fieldSelector=${encodeURIComponent(random.pick(fieldSelectors))}`] : []),
    ...(random.next() < 0.4 ? [random.pick(listOptions)] : []),
  ].join('&');
}

function drawList(random: Random, kind: TestedKind): Step {
  const accept = random.pick(listAccepts);
  const everywhere = `${kind.root}/${kind.plural}`;
  return {
    ...read,
    verb: accept === table ? 'list table' : 'list',
    kind: kind.kind,
    path: `${random.next() < 0.2 ? everywhere : collectionOf(kind)}?${listQuery(random)}`,
    ...(accept !== undefined && { accept }),
  };
}

function drawWatch(random: Random, kind: TestedKind): Step {
  const accept = random.pick([undefined, undefined, table]);
  const start = random.pick([
    '',
    '&resourceVersion=0',
    '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    '&resourceVersion=x',
    '&sendInitialEvents=true',
    '&limit=1',
  ]);
  return {
    ...read,
    verb: 'watch',
    kind: kind.kind,
    path: `${collectionOf(kind)}?watch=true&labelSelector=run%3DRUN${start}`,
    isStream: true,
    ...(accept !== undefined && { accept }),
  };
}

const discoveryPlaces = ['/api', '/apis', '/version', '/healthz', '/livez', '/none', '/apis/none.example.com', '/apis/none.example.com/v1', '/openapi/v3', '/readyz/ping'];

function drawDiscovery(random: Random, { root, plural }: TestedKind): Step {
  const group = root.split('/').slice(0, 3).join('/');
  const path = random.pick([root, root, group, `${root}/none`, `${root}/namespaces/case-RUN/none/a`, `${root}/${plural}/a/none`, random.pick(discoveryPlaces)]);
  return { ...read, verb: 'discovery', kind: path.replace(plural, 'PLURAL'), path };
}
