import type { HttpRequest } from '@nodewright/runtime';
import { splitPath } from '../codec/protocol.ts';

/** What a request says of its own signature (Signature Version 4), in the header or in a presigned query. */
export type RequestSignature = {
  readonly accessKeyId: string;
  /** What the signing key is made for: `20240128`, `us-east-1`, `ec2`. */
  readonly scope: { readonly date: string; readonly region: string; readonly service: string };
  /** `20240128T160000Z`, as it was sent. */
  readonly signedAt: string;
  /** Names in lower case, in the order in which they were signed. */
  readonly signedHeaders: readonly string[];
  /** In hexadecimal. */
  readonly signature: string;
  /** How long a presigned request is valid; `undefined` for a signature in the header. */
  readonly validForSeconds?: number;
};

/** The signature of a request; `absent` without one, `incomplete` when a part is missing or unreadable. */
export type ReadSignature =
  | { readonly kind: 'present'; readonly signature: RequestSignature }
  | { readonly kind: 'absent' }
  | { readonly kind: 'incomplete' };

const signatureAlgorithm = 'AWS4-HMAC-SHA256';

export function readSignature(request: HttpRequest): ReadSignature {
  const { authorization } = request.headers;
  if (authorization !== undefined) return orIncomplete(readHeader(authorization, request.headers));
  const query = new URLSearchParams(splitPath(request.path).query);
  return query.has('X-Amz-Signature') ? orIncomplete(readQuery(query)) : { kind: 'absent' };
}

const orIncomplete = (signature: RequestSignature | undefined): ReadSignature =>
  signature === undefined ? { kind: 'incomplete' } : { kind: 'present', signature };

function readHeader(authorization: string, headers: HttpRequest['headers']): RequestSignature | undefined {
  const [name, ...rest] = authorization.trim().split(/\s+/);
  if (name !== signatureAlgorithm) return undefined;
  const fields = new Map(rest.join('').split(',').map(splitField));
  return compose({
    credential: fields.get('Credential'),
    signedHeaders: fields.get('SignedHeaders'),
    signature: fields.get('Signature'),
    signedAt: headers['x-amz-date'],
  });
}

const splitField = (field: string): readonly [string, string] => {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
};

const longestValidSeconds = 7 * 86_400;

function readQuery(query: URLSearchParams): RequestSignature | undefined {
  const validForSeconds = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  const isValid = Number.isInteger(validForSeconds) && validForSeconds >= 0 && validForSeconds <= longestValidSeconds;
  if (!isValid || query.get('X-Amz-Algorithm') !== signatureAlgorithm) return undefined;
  const signature = compose({
    credential: query.get('X-Amz-Credential') ?? undefined,
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? undefined,
    signature: query.get('X-Amz-Signature') ?? undefined,
    signedAt: query.get('X-Amz-Date') ?? undefined,
  });
  return signature && { ...signature, validForSeconds };
}

type SignatureParts = Readonly<Record<'credential' | 'signedHeaders' | 'signature' | 'signedAt', string | undefined>>;

/** `undefined` unless every part is there, readable, and the host is signed. */
function compose({ credential = '', signedHeaders = '', signature = '', signedAt = '' }: SignatureParts) {
  const scope = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/.exec(credential);
  const names = signedHeaders.toLowerCase().split(';');
  const isReadable = /^\d{8}T\d{6}Z$/.test(signedAt) && /^[0-9a-f]{64}$/.test(signature) && names.includes('host');
  if (scope === null || !isReadable) return undefined;
  const [, accessKeyId = '', date = '', region = '', service = ''] = scope;
  return { accessKeyId, scope: { date, region, service }, signedAt, signedHeaders: names, signature };
}
