import type { AwsError } from './codec/aws-error.ts';

export type ResultPage<T> = { readonly items: readonly T[]; readonly next?: string };

export type PageRequest = {
  /** Undefined means everything at once. */
  readonly size: number | undefined;
  readonly token: string | undefined;
  /** The service's own word for a token it did not give out. */
  readonly refuse: (token: string) => AwsError;
};

/** One page of a list. Tokens are opaque to clients: the base64 of where the next page begins. */
export function takePage<T>(all: readonly T[], { size, token, refuse }: PageRequest): ResultPage<T> {
  const start = token === undefined || token === '' ? 0 : readPageStart(token, refuse);
  const end = start + (size ?? all.length);
  const items = all.slice(start, end);
  return end < all.length ? { items, next: Buffer.from(`from:${end}`).toString('base64') } : { items };
}

function readPageStart(token: string, refuse: PageRequest['refuse']): number {
  const start = /^from:(\d+)$/.exec(Buffer.from(token, 'base64').toString('utf8'))?.[1];
  if (start === undefined) throw refuse(token);
  return Number(start);
}
