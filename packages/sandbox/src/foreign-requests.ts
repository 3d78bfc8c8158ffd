import type { HttpRequest, HttpResponse, RequestHandler } from '@nodewright/runtime';

/**
 * Protects a local port against web pages. A browser lets every page send requests to loopback addresses, and a page
 * whose name is rebound to such an address may read the answers. This serves a request only when
 * - its `Host` is a loopback name or address, or one of `hosts`;
 * - its `Origin`, where it has one, is the port itself, and the browser calls it neither cross-site nor same-site.
 * No answer has a CORS header, so a browser hands none to another origin.
 */
export const refuseForeignRequests =
  (handle: RequestHandler, hosts: readonly string[] = []): RequestHandler =>
  async (request, signal, serving) => {
    const refusal = refuseHost(request, hosts) ?? refuseOrigin(request);
    return refusal === undefined ? handle(request, signal, serving) : writeRefusal(refusal);
  };

function refuseHost({ headers }: HttpRequest, hosts: readonly string[]): string | undefined {
  const sent = headers['host'] ?? '';
  const name = readHostName(sent);
  if (name !== undefined && (isLoopback(name) || hosts.some((host) => readHostName(host) === name))) return undefined;
  return `the host "${sent}" is not served here; use 127.0.0.1 or localhost, or add it with --allowed-hosts ${name ?? 'NAME'}`;
}

function refuseOrigin({ headers }: HttpRequest): string | undefined {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${headers['host']?.toLowerCase()}`;
  if (!isForeign && site !== 'cross-site' && site !== 'same-site') return undefined;
  return `requests of web pages are refused${origin === undefined ? '' : `; this one is of ${origin}`}`;
}

/** The name or address in `NAME:PORT`, in lower case and without brackets; `undefined` when it is none. */
function readHostName(host: string): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d+)?$/i.exec(host) ?? [];
  return (address ?? name)?.toLowerCase().replace(/\.$/, '');
}

const isLoopback = (name: string): boolean =>
  name === '::1' || name === 'localhost' || name.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(name);

const writeRefusal = (error: string): HttpResponse => ({
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${JSON.stringify({ error })}\n`),
});
