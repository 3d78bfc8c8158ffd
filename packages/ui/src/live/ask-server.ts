/** For this tab alone, and only until it is closed. */
const tokenKey = 'nodewright-token';

export const readToken = (): string => sessionStorage.getItem(tokenKey) ?? '';

export const keepToken = (token: string): void => sessionStorage.setItem(tokenKey, token);

/** Asks the server of the page, with the token that its reader has given. */
export function askServer(path: string, signal: AbortSignal): Promise<Response> {
  const token = readToken();
  return fetch(path, { signal, headers: token === '' ? {} : { authorization: `Bearer ${token}` } });
}
