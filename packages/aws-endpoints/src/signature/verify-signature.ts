import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import type { AccessKey } from './access-key.ts';
import { hashSha256, writeCanonicalRequest } from './canonical-request.ts';
import { readSignature, type RequestSignature } from './read-signature.ts';

/** Why the signature of a request does not prove who sent it. */
export type SignatureProblem =
  | { readonly kind: 'absent' | 'incomplete' | 'unknownKey' | 'mismatch' }
  | {
      readonly kind: 'expired' | 'notYetCurrent';
      readonly signedAt: string;
      readonly now: Instant;
      /** How far the two times may lie apart. */
      readonly toleratedMs: number;
    };

export type Verification = {
  /** The only key that is valid; without one no signature is. */
  readonly accessKey: AccessKey | undefined;
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
  const { accessKey } = verification;
  if (read.signature.accessKeyId !== accessKey?.accessKeyId) return { kind: 'unknownKey' };
  return (
    verifyTime(read.signature, verification) ??
    (isSignedWith(accessKey, read.signature, request) ? undefined : { kind: 'mismatch' })
  );
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
