import { byTextOf, type KubernetesObject } from '@nodewright/apis';
import type { HttpRequest, HttpResponse, RequestHandler } from '@nodewright/runtime';

type Change = { readonly revision: number; readonly path: string; readonly type: string; readonly object: Stored };
type Stored = KubernetesObject & { readonly metadata: { readonly resourceVersion: string } };
/** The pages of a list that are left, of the moment in which it began. */
type PagesLeft = { readonly items: readonly Stored[]; readonly revision: number };
type Watcher = { readonly path: string; readonly tell: (change: Change) => void; readonly end: () => void };

/**
 * Just enough of an API server for the tests of this package: objects under the paths they are
 * posted to, revisions, paged lists, watches that resume. No schemas, no selectors, no subresources, no finalizers. It
 * keeps the rest of the contract of a client (`describeClientContract`).
 */
export class TinyApiServer {
  /** Answers in the server's place, when it returns something. */
  intercept: (request: HttpRequest) => HttpResponse | undefined = () => undefined;
  /** Method and path of everything that was asked. */
  readonly requests: string[] = [];
  readonly #objects = new Map<string, Stored>();
  readonly #changes: Change[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #pagesLeft: PagesLeft[] = [];
  #revision = 100;
  #deleted = 0;
  #oldest = 0;

  readonly handle: RequestHandler = async (request, signal) => {
    this.requests.push(`${request.method} ${request.path}`);
    return this.intercept(request) ?? this.#answer(request, signal);
  };

  /** Creates or replaces from the side, as another client would. */
  put(collection: string, object: KubernetesObject): Stored {
    const key = `${collection}/${object.metadata.name}`;
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    const metadata = {
      uid: this.#objects.get(key)?.metadata.uid ?? this.#newUid(object.metadata.name),
      ...object.metadata,
      resourceVersion: String(++this.#revision),
    };
    const stored = { ...object, metadata };
    this.#objects.set(key, stored);
    this.#record(type, collection, stored);
    return stored;
  }

  remove(collection: string, name: string): void {
    const object = this.#objects.get(`${collection}/${name}`);
    if (object === undefined) return;
    this.#objects.delete(`${collection}/${name}`);
    this.#deleted += 1;
    const metadata = { ...object.metadata, resourceVersion: String(++this.#revision) };
    this.#record('DELETED', collection, { ...object, metadata });
  }

  get(collection: string, name: string): Stored | undefined {
    return this.#objects.get(`${collection}/${name}`);
  }

  list(collection: string): readonly Stored[] {
    const within = [...this.#objects].filter(([key]) => isWithin(key.slice(0, key.lastIndexOf('/')), collection));
    return within
      .map(([, object]) => object)
      .toSorted(byTextOf(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
  }

  /** Forgets what it could resume from: whoever comes back with an old revision hears 410. */
  compact(): void {
    this.#oldest = this.#revision;
  }

  /** Ends every watch, as a server does that restarts. */
  disconnect(): void {
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }

  #record(type: string, path: string, object: Stored): void {
    const change = { revision: this.#revision, path, type, object };
    this.#changes.push(change);
    for (const watcher of this.#watchers) if (isWithin(path, watcher.path)) watcher.tell(change);
  }

  #answer({ method, path, body }: HttpRequest, signal: AbortSignal): HttpResponse {
    const url = new URL(path, 'http://tiny');
    const { collection, name } = splitPath(url.pathname);
    const sent =
      body.length === 0 ? undefined : (JSON.parse(Buffer.from(body).toString()) as KubernetesObject & DeletionBody);
    if (method === 'POST' && sent !== undefined) return this.#create(collection, sent);
    if (method === 'GET' && url.searchParams.has('watch')) return this.#watch(url, signal);
    if (name === undefined) return this.#list(url);
    const found = this.get(collection, name);
    if (found === undefined) return refuse(404, 'NotFound', name);
    if (method === 'DELETE') return this.#delete(collection, found, sent);
    if (method === 'GET' || sent === undefined) return answer(200, found);
    const expected = sent.metadata?.resourceVersion ?? found.metadata.resourceVersion;
    if (expected !== found.metadata.resourceVersion) return refuse(409, 'Conflict', name);
    return answer(200, this.put(collection, method === 'PUT' ? sent : (mergeJson(found, sent) as KubernetesObject)));
  }

  #create(collection: string, object: KubernetesObject): HttpResponse {
    if (this.get(collection, object.metadata.name) !== undefined) {
      return refuse(409, 'AlreadyExists', object.metadata.name);
    }
    return answer(201, this.put(collection, object));
  }

  #delete(collection: string, object: Stored, options: DeletionBody = {}): HttpResponse {
    const { uid, resourceVersion } = options.preconditions ?? {};
    const isOther =
      (uid !== undefined && uid !== object.metadata.uid) ||
      (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion);
    if (isOther) return refuse(409, 'Conflict', object.metadata.name);
    this.remove(collection, object.metadata.name);
    return answer(200, object);
  }

  #list(url: URL): HttpResponse {
    const token = url.searchParams.get('continue');
    const begun = token === null ? undefined : this.#pagesLeft[Number(token) - 1];
    const { items, revision } = begun ?? { items: this.list(url.pathname), revision: this.#revision };
    const count = Number(url.searchParams.get('limit') ?? items.length);
    const left = items.slice(count);
    const next = left.length === 0 ? {} : { continue: String(this.#pagesLeft.push({ items: left, revision })) };
    return answer(200, { metadata: { resourceVersion: String(revision), ...next }, items: items.slice(0, count) });
  }

  /** Another one for an object that takes the name of a deleted one. */
  #newUid(name: string): string {
    return this.#deleted === 0 ? `uid-${name}` : `uid-${name}-${this.#deleted}`;
  }

  #watch(url: URL, signal: AbortSignal): HttpResponse {
    const since = Number(url.searchParams.get('resourceVersion'));
    const missed = this.#changes.filter((change) => isWithin(change.path, url.pathname) && change.revision > since);
    const stream = new ByteStream(signal);
    if (since < this.#oldest) {
      stream.push({ type: 'ERROR', object: failure(410, 'Expired', '') });
      stream.end();
      return { status: 200, headers: {}, body: stream.chunks() };
    }
    for (const { type, object } of missed) stream.push({ type, object });
    const watcher: Watcher = {
      path: url.pathname,
      tell: ({ type, object }) => stream.push({ type, object }),
      end: () => stream.end(),
    };
    this.#watchers.add(watcher);
    signal.addEventListener('abort', () => this.#watchers.delete(watcher), { once: true });
    return { status: 200, headers: {}, body: stream.chunks() };
  }
}

class ByteStream {
  readonly #waiting: Uint8Array[] = [];
  #wake: () => void = () => undefined;
  #ended = false;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  push(event: unknown): void {
    this.#waiting.push(Buffer.from(`${JSON.stringify(event)}\n`));
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#ended) return;
      if (this.#waiting.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

const pathShape = /^(\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/[^/]+)(?:\/([^/]+))?/;

function splitPath(path: string): { readonly collection: string; readonly name: string | undefined } {
  const [, collection = path, name] = pathShape.exec(path) ?? [];
  return { collection, name: name === undefined ? undefined : decodeURIComponent(name) };
}

/** A path without a namespace holds the objects of all namespaces. */
const isWithin = (collection: string, asked: string): boolean =>
  collection === asked || collection.replace(/\/namespaces\/[^/]+\//, '/') === asked;

type DeletionBody = { readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } };

/** RFC 7386. */
function mergeJson(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(value) ? value : {}));
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) merged.delete(name);
    else merged.set(name, mergeJson(merged.get(name), part));
  }
  return Object.fromEntries(merged);
}

const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const answer = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

const failure = (code: number, reason: string, name: string): object => ({
  kind: 'Status',
  status: 'Failure',
  message: `"${name}": ${reason}`,
  reason,
  code,
  details: { name },
});

const refuse = (code: number, reason: string, name: string): HttpResponse => answer(code, failure(code, reason, name));
