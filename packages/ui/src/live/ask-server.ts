/** For this tab alone, and only until it is closed. */
const tokenKey = 'nodewright-token';

export const readToken = (): string => sessionStorage.getItem(tokenKey) ?? '';

export const keepToken = (token: string): void => sessionStorage.setItem(tokenKey, token);

/** Asks the server of the page, with the token that its reader has given. */
export const askServer = (path: string, signal: AbortSignal): Promise<Response> =>
  fetch(path, { signal, headers: authorization() });

/** Why the server does not answer a request, in its words. */
export async function readServerRefusal(response: Response): Promise<string> {
  const { error } = ((await response.json().catch(() => undefined)) ?? {}) as { readonly error?: string };
  return error ?? `the server answers with status ${response.status}`;
}

/** Has the server do something. */
export const tellServer = (path: string, request: object): Promise<Response> =>
  fetch(path, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });

function authorization(): Readonly<Record<string, string>> {
  const token = readToken();
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}
