import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import type { AccessKey } from './access-key.ts';
import { splitPath } from '../codec/protocol.ts';
import { hashSha256, writeCanonicalRequest } from './canonical-request.ts';
import { readSignature, type RequestSignature } from './read-signature.ts';
import type { TemporaryKey } from './temporary-key.ts';

/** Why the signature of a request does not prove who sent it. */
export type SignatureProblem =
  | { readonly kind: 'absent' | 'incomplete' | 'unknownKey' | 'mismatch' | 'expiredToken' }
  | {
      readonly kind: 'expired' | 'notYetCurrent';
      readonly signedAt: string;
      readonly now: Instant;
      /** How far the two times may lie apart. */
      readonly toleratedMs: number;
    };

export type Verification = {
  /** The key of the account's administrator; without one no signature is valid. */
  readonly accessKey: AccessKey | undefined;
  /** Finds a key that is lent [none is]. */
  readonly findTemporaryKey?: (accessKeyId: string) => TemporaryKey | undefined;
  /** Finds the key of a user [none is]. */
  readonly findUserKey?: (accessKeyId: string) => AccessKey | undefined;
  /** In the time by which the clients sign. */
  readonly now: Instant;
  /** How long a presigned request is valid, whatever it says itself. */
  readonly presignedForMs?: number;
};

/** AWS tolerates clocks that differ by five minutes. */
const toleranceMs = 300_000;

/** What is wrong with the signature of a request (Signature Version 4); `undefined` when it is valid. */
export function verifySignature(request: HttpRequest, verification: Verification): SignatureProblem | undefined {
  const read = readSignature(request);
  if (read.kind !== 'present') return read;
  const { accessKey, findTemporaryKey, findUserKey, now } = verification;
  const { accessKeyId } = read.signature;
  const isPermanent = accessKeyId === accessKey?.accessKeyId;
  const lent = isPermanent || accessKey === undefined ? undefined : findTemporaryKey?.(accessKeyId);
  const key = isPermanent ? accessKey : (lent ?? (accessKey && findUserKey?.(accessKeyId)));
  if (key === undefined) return { kind: 'unknownKey' };
  return (
    verifyTime(read.signature, verification) ??
    (lent && verifyToken(request, lent, now)) ??
    (isSignedWith(key, read.signature, request) ? undefined : { kind: 'mismatch' })
  );
}

function verifyToken(request: HttpRequest, key: TemporaryKey, now: Instant): SignatureProblem | undefined {
  const token =
    request.headers['x-amz-security-token'] ??
    new URLSearchParams(splitPath(request.path).query).get('X-Amz-Security-Token');
  if (token !== key.sessionToken) return { kind: 'unknownKey' };
  return now > key.expiresAt ? { kind: 'expiredToken' } : undefined;
}

function verifyTime(
  { signedAt, scope, validForSeconds }: RequestSignature,
  { now, presignedForMs }: Verification,
): SignatureProblem | undefined {
  const at = Date.parse(signedAt.replace(/^(.{4})(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (Number.isNaN(at) || scope.date !== signedAt.slice(0, 8)) return { kind: 'incomplete' };
  const validForMs = validForSeconds === undefined ? toleranceMs : (presignedForMs ?? validForSeconds * 1000);
  if (now > at + validForMs) return { kind: 'expired', signedAt, now, toleratedMs: validForMs };
  return now < at - toleranceMs ? { kind: 'notYetCurrent', signedAt, now, toleratedMs: toleranceMs } : undefined;
}

function isSignedWith(key: AccessKey, claimed: RequestSignature, request: HttpRequest): boolean {
  const canonical = canonicalRequest(request, claimed.signedHeaders);
  if (canonical === undefined) return false;
  const { date, region, service } = claimed.scope;
  const signed = `AWS4-HMAC-SHA256\n${claimed.signedAt}\n${date}/${region}/${service}/aws4_request\n${hashSha256(canonical)}`;
  const signingKey = [date, region, service, 'aws4_request'].reduce<Buffer | string>(
    (secret, step) => hmac(secret, step),
    `AWS4${key.secretAccessKey}`,
  );
  return timingSafeEqual(hmac(signingKey, signed), Buffer.from(claimed.signature, 'hex'));
}

/** `undefined` when the request cannot be written so, and therefore was never signed. */
function canonicalRequest(request: HttpRequest, signedHeaders: readonly string[]): string | undefined {
  try {
    return writeCanonicalRequest(request, signedHeaders);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
