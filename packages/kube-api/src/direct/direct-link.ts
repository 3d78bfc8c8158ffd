/** A call as a link sees it: the method and the path that it has over the wire. */
export type DirectRequest = {
  readonly method: string;
  readonly path: string;
  readonly isWatch: boolean;
  /** What a write carries. */
  readonly body?: unknown;
};

/** What lies between a client and its server. A link may refuse, lose answers or break; without one nothing does. */
export type DirectLink = {
  /** Passes a call on with `serve`, and its answer back. */
  readonly send: <T>(request: DirectRequest, serve: () => Promise<T>) => Promise<T>;
  /** Passes on what a watch tells. */
  readonly stream: <T>(parts: AsyncIterable<T>) => AsyncIterable<T>;
};

export const openLink: DirectLink = { send: (_request, serve) => serve(), stream: (parts) => parts };
