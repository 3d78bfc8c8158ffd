import { InputError } from '../../../terminal/exit-status.ts';
import { sendControlRequest } from '../../../control-api/control-request.ts';

type ControlRequest = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly body?: unknown };

/** Wrong input, no token, a name that the sandbox is not to be called by. */
const refusedStatuses: ReadonlySet<number> = new Set([400, 401, 403]);

/**
 * Sends a request to the control API of the sandbox that `NODEWRIGHT_SANDBOX` names, and gives its answer.
 * @throws InputError when there is no such sandbox, or it refuses; the message is the sandbox's
 */
export async function askSandbox<T>({ method, path, body }: ControlRequest): Promise<T> {
  const base = process.env['NODEWRIGHT_SANDBOX'];
  if (base === undefined || base === '')
    throw new InputError('NODEWRIGHT_SANDBOX is not set; export the lines that `nodewright sandbox` prints');
  if (!URL.canParse(path, base))
    throw new InputError(`NODEWRIGHT_SANDBOX is "${base}", wanted a URL such as http://127.0.0.1:8080`);
  const response = await sendControlRequest({ url: base, method, path, body }).catch((failure: unknown) => {
    if (failure instanceof InputError) throw failure;
    throw new InputError(`no sandbox answers at NODEWRIGHT_SANDBOX=${base}; is it still running?`, { cause: failure });
  });
  const answer = (await response.json()) as T & { readonly error?: string };
  if (refusedStatuses.has(response.status)) throw new InputError(answer.error);
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
