import { badRequestError } from '../../http/status-error.ts';

/** Where a paged list goes on: after the key, at a revision; -1 stands for whatever is there then. */
export type Continuation = { readonly revision: number; readonly after: string };

/** Keys end with a zero byte, so that the next page begins right behind them. */
const withoutEnd = (start: string): string => (start.endsWith('\0') ? start.slice(0, -1) : start);

type TokenBody = { readonly v: string; readonly rv: number; readonly start: string };

/** Tokens look as a real server's do: unpadded URL-safe base64 of a small JSON document. */
export function encodeContinue({ revision, after }: Continuation): string {
  const body: TokenBody = { v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` };
  const text = JSON.stringify(body).replaceAll('\u0000', String.raw`\u0000`);
  return Buffer.from(text).toString('base64url');
}

/** Throws a 400 when the text is no token. */
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
