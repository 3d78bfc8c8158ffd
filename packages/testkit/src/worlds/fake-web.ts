import type { WebAnswer, WebClient, WebRequest } from '@nodewright/runtime';

type WebHandler = (request: WebRequest) => WebAnswer;

/** Servers in memory, by the beginning of their URLs. Whatever is at no server is unreachable. */
export class FakeWeb implements WebClient {
  readonly requests: WebRequest[] = [];
  readonly #handlers = new Map<string, WebHandler>();

  /** From now on requests to URLs that begin so are answered with a status and a text. */
  serve(url: string, status: number, text = ''): void {
    this.handle(url, () => ({ kind: 'answered', status, text }));
  }

  handle(url: string, handler: WebHandler): void {
    this.#handlers.set(url, handler);
  }

  send(request: WebRequest): Promise<WebAnswer> {
    this.requests.push(request);
    const [, handler] = [...this.#handlers].find(([url]) => request.url.startsWith(url)) ?? [];
    return Promise.resolve(handler?.(request) ?? { kind: 'unreachable', because: 'connection refused' });
  }

  /** What was posted to URLs that begin so, decoded. */
  posted(url: string): readonly unknown[] {
    return this.requests.filter((request) => request.url.startsWith(url)).map(({ body = '' }) => JSON.parse(body));
  }
}
