import { badRequestError } from '../../http/status-error.ts';

/** The place where a paged list continues: after a key, at a revision. -1 stands for the current revision. */
export type Continuation = { readonly revision: number; readonly after: string };

/** A key ends with a zero byte, so that the next page begins directly after it. */
const withoutEnd = (start: string): string => (start.endsWith('\0') ? start.slice(0, -1) : start);

type TokenBody = { readonly v: string; readonly rv: number; readonly start: string };

/** A token has the form of a real server's: unpadded URL-safe base64 of a small JSON document. */
export function encodeContinue({ revision, after }: Continuation): string {
  const body: TokenBody = { v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` };
  const text = JSON.stringify(body).replaceAll('\u0000', String.raw`\u0000`);
  return Buffer.from(text).toString('base64url');
}

/** Decodes a token. Throws a 400 when the text is not a token. */
export function decodeContinue(token: string): Continuation {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const body = parseTokenBody(text);
  return { revision: body.rv, after: withoutEnd(body.start) };
}

function parseTokenBody(text: string): TokenBody {
  try {
    return JSON.parse(text) as TokenBody;
  } catch {
    const first = text.charAt(0);
    const shown = first < ' ' || first > '~' ? JSON.stringify(first).slice(1, -1) : first;
    const code = first > '~' ? `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}` : shown;
    throw badRequestError(
      `invalid continue token: continue key is not valid: invalid character '${code}' looking for beginning of value`,
    );
  }
}
