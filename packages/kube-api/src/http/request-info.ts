/** The parts of a request line, before any look-up. */
export type RequestInfo = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Present for paths below `/api/v1` and `/apis/<group>/<version>` that name a resource. */
  readonly resource?: ResourcePath;
};

export type ResourcePath = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Empty for cluster-scoped resources and for requests across namespaces. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource: string;
  /** What follows `/proxy/` in the path of a node, pod or service; absent otherwise. */
  readonly proxied?: string;
  /** The deprecated form with `/watch/` in the path. */
  readonly watchPath: boolean;
};

export function parseRequest(method: string, target: string): RequestInfo {
  const [rawPath = '/', ...rest] = target.split('?');
  const query = new URLSearchParams(rest.join('?'));
  const resource = resourcePathOf(rawPath);
  return { method, path: rawPath, query, ...(resource && { resource }) };
}

function resourcePathOf(path: string): ResourcePath | undefined {
  const segments = path.split('/').slice(1).map(decodeSegment);
  if (segments.at(-1) === '') segments.pop();
  const [root, ...rest] = segments;
  if (root === 'api') return readResourcePath({ group: '', version: rest[0] ?? '' }, rest.slice(1));
  if (root === 'apis') return readResourcePath({ group: rest[0] ?? '', version: rest[1] ?? '' }, rest.slice(2));
  return undefined;
}

type GroupVersion = { readonly group: string; readonly version: string };

function readResourcePath(version: GroupVersion, segments: readonly string[]): ResourcePath | undefined {
  const watchPath = segments[0] === 'watch' && segments.length > 1;
  const parts = watchPath ? segments.slice(1) : segments;
  if (parts.length === 0) return undefined;
  const isScoped = parts[0] === 'namespaces' && parts.length > 2 && !namespaceSubresources.has(parts[2] ?? '');
  const [plural = '', name = '', ...subresource] = isScoped ? parts.slice(2) : parts;
  const namespace = isScoped ? (parts[1] ?? '') : '';
  const place = { ...version, plural, namespace, name, watchPath };
  if (subresource[0] !== 'proxy') return { ...place, subresource: subresource.join('/') };
  return { ...place, subresource: 'proxy', proxied: subresource.slice(1).join('/') };
}

/** `/namespaces/<name>/status` is a subresource of the namespace itself. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
