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
  const answer = parseAnswer<T & { readonly error?: string }>(await response.text(), base);
  if (refusedStatuses.has(response.status)) throw new InputError(answer.error);
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** @throws InputError when another server answers */
function parseAnswer<T>(text: string, base: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (failure) {
    const words = JSON.stringify(text.slice(0, 60));
    throw new InputError(`what answers at NODEWRIGHT_SANDBOX=${base} is no sandbox; its first words are ${words}`, {
      cause: failure,
    });
  }
}
