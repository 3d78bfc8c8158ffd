import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { InputError } from '../terminal/exit-status.ts';

/** The name of the token's file, beside the kubeconfig that the sandbox writes. */
export const tokenFileName = 'control-token';

type ControlRequest = {
  /** Base URL of the control API. */
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
};

/**
 * Sends a request to the control API of a sandbox, with its token where there is one. The token is read each time: a
 * sandbox that starts anew makes another one. It waits for the answer as long as that takes: `fetch` gives up after five
 * minutes, and the clock of a cluster with hundreds of nodes may be under way for longer.
 * @throws InputError when the file of the token is there and cannot be read
 */
export async function sendControlRequest({
  url,
  method = 'GET',
  path,
  body,
  signal,
}: ControlRequest): Promise<Response> {
  const token = readControlToken(process.env);
  const target = new URL(path, url);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A connection of its own: one that is kept may be closed by the sandbox while the next request is under way.
    const asked = send(target, { method, headers, agent: false, ...(signal && { signal }) }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = parts.length === 0 ? null : Buffer.concat(parts);
        resolve(new Response(text, { status: answer.statusCode ?? 500 }));
      });
    });
    asked.once('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

type ControlEnvironment = Readonly<Record<string, string | undefined>>;

/** The token in the file that the environment names, else in the one beside its kubeconfig; `undefined` without both. */
export function readControlToken(environment: ControlEnvironment): string | undefined {
  const { NODEWRIGHT_SANDBOX_TOKEN_FILE: named = '', KUBECONFIG: kubeconfigs = '' } = environment;
  if (named !== '') return readTokenFile(named);
  const beside = kubeconfigs
    .split(delimiter)
    .filter((file) => file !== '')
    .map((file) => join(dirname(file), tokenFileName));
  return beside.map(readTokenFile).find((token) => token !== undefined);
}

/** `undefined` where there is no file: the sandbox then says which one it means, or is gone as well. */
function readTokenFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new InputError(`the token of the sandbox's control API cannot be read: ${message}`, { cause: failure });
  }
}
