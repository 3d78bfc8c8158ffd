import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from '@nodewright/runtime';

export type TokenRequirement = {
  readonly token: string;
  /** Where the token is, for the person who does not have it. */
  readonly file: string;
};

/** Serves requests with `Authorization: Bearer TOKEN` only; the 401 for others says where the token is. */
export function requireToken(handle: RequestHandler, { token, file }: TokenRequirement): RequestHandler {
  const error =
    `the control API of the sandbox needs the token in ${file}: send "Authorization: Bearer TOKEN", ` +
    `or set NODEWRIGHT_SANDBOX_TOKEN_FILE=${file} for the nodewright commands`;
  const refusal = {
    status: 401,
    headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer realm="nodewright sandbox"' },
    body: Buffer.from(`${JSON.stringify({ error })}\n`),
  };
  return async (request, signal, serving) => {
    const sent = /^Bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
    return sent !== undefined && isEqualSecret(sent, token) ? handle(request, signal, serving) : refusal;
  };
}

/** In a time that does not tell how much of it is right. */
const isEqualSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
