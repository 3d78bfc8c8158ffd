import { readOwn, writeOwn } from '@nodewright/apis';
import { type ApiObject, storedKeyOf, keyText, type StoreSnapshot } from '@nodewright/kube-api';
import { collectionNamed } from './recorded-collections.ts';
import { answerOf, type Exchange } from './recordings.ts';

/**
 * The objects of the recorded server as far as its answers show them. What was set up between the recorded requests
 * shows in later answers, so each request can be replayed on its own from the state that it must have met.
 */
export class RecordedWorld {
  readonly #objects = new Map<string, ApiObject>();
  #revision = 1;

  /** Begins with everything that some answer shows and no request of the section made. */
  constructor(exchanges: readonly Exchange[]) {
    const made = new Set(exchanges.filter(isCreation).flatMap(objectsOf).map(uidOf));
    const shown = exchanges.filter(({ request }) => request.method === 'GET').flatMap(shownBy);
    for (const object of shown.toReversed()) {
      if (!made.has(uidOf(object)) && object.kind !== 'Namespace') this.#put(object);
    }
    for (const name of exchanges.flatMap(namespacesOf)) {
      if (!this.#objects.has(`Namespace /${name}`)) this.#put(namespaceNamed(name));
    }
  }

  snapshot(): StoreSnapshot {
    const collections: Record<string, ApiObject[]> = {};
    for (const object of this.#objects.values()) {
      const name = collectionNamed(object.kind) ?? '';
      writeOwn(collections, name, [...(readOwn(collections, name) ?? []), object]);
    }
    return { revision: this.#revision, collections };
  }

  /** Makes true what the answer to a read says. */
  before(exchange: Exchange): void {
    if (exchange.response.status === 404) this.#removeNamed(exchange);
    if (exchange.request.method !== 'GET') return;
    const objects = objectsOf(exchange);
    if (isWholeList(exchange)) this.#clearLike(exchange, objects[0]);
    objects.filter((object) => !this.#isKnown(object)).forEach((object) => this.#put(object));
  }

  /** A read shows a stored object in the version of its path, which may be another one than it is stored in. */
  #isKnown(object: ApiObject): boolean {
    const { uid, resourceVersion } = this.#objects.get(idOf(object))?.metadata ?? {};
    return uid === object.metadata.uid && resourceVersion === object.metadata.resourceVersion;
  }

  /** Takes over what a write came to; of writes that answer with a status only, what ours came to. */
  after(exchange: Exchange, ours: StoreSnapshot): void {
    const { request, response } = exchange;
    if (response.status >= 300 || request.method === 'GET' || request.path.includes('dryRun=')) return;
    const [object] = objectsOf(exchange);
    if (object === undefined || answerOf(exchange)?.['kind'] !== object.kind) return this.#adopt(ours);
    if (isGone(object)) this.#objects.delete(idOf(object));
    else this.#put(object);
  }

  #put(object: ApiObject): void {
    this.#objects.set(idOf(object), object);
    this.#revision = Math.max(this.#revision, Number(object.metadata.resourceVersion ?? 0));
  }

  #adopt({ collections, revision }: StoreSnapshot): void {
    this.#objects.clear();
    for (const object of Object.values(collections).flat()) this.#put(object);
    this.#revision = Math.max(this.#revision, revision);
  }

  #removeNamed({ request }: Exchange): void {
    const [, namespace = '', name] = /(?:\/namespaces\/([^/]+))?\/[a-z0-9]+\/([^/?]+)(?:\?|$)/.exec(request.path) ?? [];
    for (const [id, object] of this.#objects) {
      const { metadata } = object;
      if (metadata.name === name && (metadata.namespace ?? '') === namespace) this.#objects.delete(id);
    }
  }

  #clearLike({ request }: Exchange, example: ApiObject | undefined): void {
    const namespace = namespaceIn(request.path);
    for (const [id, object] of this.#objects) {
      const isSame =
        object.kind === example?.kind && (namespace === undefined || object.metadata.namespace === namespace);
      if (isSame) this.#objects.delete(id);
    }
  }
}

const idOf = (object: ApiObject): string => `${object.kind} ${keyText(storedKeyOf(object))}`;

const uidOf = ({ metadata }: ApiObject): string => metadata.uid ?? '';

const isCreation = ({ request, response }: Exchange): boolean =>
  response.status === 201 && !request.path.includes('dryRun=');

const isWholeList = ({ request, response }: Exchange): boolean =>
  /"kind":"\w+List"/.test(response.body ?? '') &&
  !/[?&](labelSelector|fieldSelector|limit|continue|resourceVersion)=/.test(request.path);

function isGone({ kind, metadata, ...rest }: ApiObject): boolean {
  if (metadata.deletionTimestamp === undefined || kind === 'Namespace') return false;
  const { spec } = rest as { readonly spec?: { readonly finalizers?: readonly string[] } };
  const held = [...(metadata.finalizers ?? []), ...(spec?.finalizers ?? [])];
  return held.length === 0 && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** What a read shows: its object, the items of its list, or what a stream begins with. */
function shownBy(exchange: Exchange): readonly ApiObject[] {
  if (!exchange.request.path.includes('watch=')) return objectsOf(exchange);
  const lines = (exchange.response.body ?? '').split('\n').filter((line) => line.startsWith('{"type":"ADDED"'));
  return lines.map((line) => (JSON.parse(line) as { readonly object: ApiObject }).object).filter(isStored);
}

const isStored = ({ kind, apiVersion, metadata }: ApiObject): boolean =>
  metadata?.uid !== undefined && apiVersion !== 'events.k8s.io/v1' && collectionNamed(kind) !== undefined;

/** The stored objects that an answer shows: itself, or the items of a list. */
function objectsOf(exchange: Exchange): readonly ApiObject[] {
  const body = answerOf(exchange) as (ApiObject & { readonly items?: readonly ApiObject[] }) | undefined;
  if (body === undefined) return [];
  const type = { kind: (body.kind ?? '').replace(/List$/, ''), apiVersion: body.apiVersion };
  const objects = Array.isArray(body.items) ? body.items.map((item) => ({ ...type, ...item })) : [body];
  return objects.filter(isStored);
}

const namespaceIn = (path: string): string | undefined => /\/namespaces\/([^/?]+)\//.exec(path)?.[1];

function namespacesOf({ request }: Exchange): readonly string[] {
  const name = namespaceIn(request.path);
  return name === undefined || /^(nonamespace|nope)$/.test(name) ? [] : [name];
}

const namespaceNamed = (name: string): ApiObject => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: {
    name,
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: '2026-11-20T20:15:45Z',
    labels: { 'kubernetes.io/metadata.name': name },
  },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});
