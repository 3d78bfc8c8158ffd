import type { Ticket } from './clock.ts';

/** Header names are lower case; a header that came several times is joined with `, `. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** Who is at the other end, as far as the connection itself proves it. */
export type HttpPeer = {
  /** Subject of a verified client certificate. */
  readonly clientCertificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** SHA-256 of the certificate, lower-case hexadecimal. */
    readonly fingerprint?: string;
  };
};

/** The largest body that any handler takes, in bytes: what a Kubernetes API server takes. */
export const mostBodyBytes = 3 * 1024 * 1024;

/** The longest request target, path and query together, that any handler takes. */
export const mostTargetLength = 64 * 1024;

export type HttpRequest = {
  readonly method: string;
  /** Path and query as on the request line: `/api/v1/pods?watch=true`. */
  readonly path: string;
  readonly headers: HttpHeaders;
  /** Off a socket, at most one byte more than `mostBodyBytes`: the handler refuses such a body in its own words. */
  readonly body: Uint8Array;
  readonly peer?: HttpPeer;
};

/** Both directions of a connection that has left HTTP. */
export type ByteConnection = {
  /** Ends when the other side ends it, or when it breaks. */
  readonly incoming: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): void;
  end(): void;
};

/** A body is either whole, or a stream of chunks that ends when the iterator does (a watch, a log that follows). */
export type HttpResponse = {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Of an answer 101: speaks the other protocol from here on. Only a listener of sockets calls it. */
  readonly switchProtocol?: (connection: ByteConnection) => Promise<void>;
};

/** What a handler may do with the world's time. Only a caller in the same process can offer it. */
export type Serving = {
  /** For a server that is slow on purpose: `wait(() => clock.sleep(ms, signal))`. Without it nothing would be quiet meanwhile. */
  wait(work: () => Promise<void>): Promise<void>;
  /** For what a stream tells later: see `CallGate.handOver` [at once]. */
  readonly handOver?: (work: () => void) => void;
};

/**
 * A server without its sockets. The signal aborts when the client has gone away.
 * A handler never makes a port call while it serves one, and waits for the clock only through `serving`.
 */
export type RequestHandler = (request: HttpRequest, signal: AbortSignal, serving?: Serving) => Promise<HttpResponse>;

/** The client's side of one request: over a socket, or in process through a `CallGate` into a `RequestHandler`. */
export interface Transport {
  send(
    request: HttpRequest,
    options: { readonly ticket: Ticket; readonly signal?: AbortSignal },
  ): Promise<HttpResponse>;
}
