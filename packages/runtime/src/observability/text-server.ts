import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOwn } from '@nodewright/apis';

export type TextAnswer = { readonly status: number; readonly text: string; readonly contentType?: string };

/** By path: `/healthz`. */
export type TextRoutes = Readonly<Record<string, () => TextAnswer | Promise<TextAnswer>>>;

export type TextServer = { readonly port: number; close(): Promise<void> };

/**
 * Serves short texts over plain HTTP on all addresses: metrics and health.
 * @throws the socket's error when the port is taken (`EADDRINUSE`)
 */
export async function serveTexts(routes: TextRoutes, port: number): Promise<TextServer> {
  const server = createTextServer(routes);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A server without a socket. It also serves connections that it is handed as its event `connection`. */
export const createTextServer = (routes: TextRoutes): Server =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://here');
    void answerTextRequest(readOwn(routes, pathname), response);
  });

async function answerTextRequest(route: TextRoutes[string] | undefined, response: ServerResponse): Promise<void> {
  const { status, text, contentType } = await textOfRoute(route);
  response.writeHead(status, { 'content-type': contentType ?? 'text/plain; charset=utf-8' });
  response.end(text);
}

async function textOfRoute(route: TextRoutes[string] | undefined): Promise<TextAnswer> {
  if (route === undefined) return { status: 404, text: 'not found\n' };
  try {
    return await route();
  } catch (error) {
    return { status: 500, text: `${error instanceof Error ? error.message : String(error)}\n` };
  }
}
