import { createHash } from 'node:crypto';
import { readOwn, byValueOf, inOrder } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import { splitPath } from '../codec/protocol.ts';

/**
 * The text of a request that Signature Version 4 signs: method, path, query, the signed headers and the hash of the
 * body, in the form that both sides can write.
 * @throws URIError when the query is not percent-encoded UTF-8
 */
export function writeCanonicalRequest(request: HttpRequest, signedHeaders: readonly string[]): string {
  const { pathname, query } = splitPath(request.path);
  return [
    request.method,
    canonicalPath(pathname),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${(readOwn(request.headers, name) ?? '').trim().replaceAll(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    hashSha256(request.body),
  ].join('\n');
}

export const hashSha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/** Every service but S3 encodes the path a second time, after it is free of dots and empty steps. */
function canonicalPath(pathname: string): string {
  const steps: string[] = [];
  for (const step of pathname.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(percentEncode(step));
  }
  const end = steps.length > 0 && pathname.endsWith('/') ? '/' : '';
  return `/${steps.join('/')}${end}`;
}

/** In the order of the encoded names, then values; the signature itself stays out. */
const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map(canonicalPair)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .toSorted(
      inOrder(
        byValueOf(([name]) => name, compareBytes),
        byValueOf(([, value]) => value, compareBytes),
      ),
    )
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

function canonicalPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  return [percentEncode(decodeURIComponent(name)), percentEncode(decodeURIComponent(value))];
}

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
