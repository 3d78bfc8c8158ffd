import { HttpResponse } from '@smithy/core/transport';
import type { SdkClients } from '@nodewright/provider-aws';

/** How a call ends that does not reach AWS. */
export type Interception =
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'output'; readonly output: object }
  /** A body that the SDK has to read. */
  | { readonly kind: 'body'; readonly status: number; readonly text: string };

/** Looks at every attempt of every call; without an interception the call goes on to AWS. */
export type Intercept = (call: { readonly operation: string; readonly input: object }) => Interception | undefined;

type Body = Extract<Interception, { readonly kind: 'body' }>;
type Args = { readonly input: object; readonly body?: Body };
type Next = (args: Args) => Promise<object>;
type Middleware = (next: Next, context: { readonly commandName?: string }) => Next;
type Stack = { add(middleware: Middleware, options: object): void };

/** The same clients, each of whose calls is looked at first. */
export function interceptCalls(clients: SdkClients, intercept: Intercept): SdkClients {
  for (const client of Object.values(clients)) {
    const stack = client.middlewareStack as unknown as Stack;
    stack.add(
      (next, { commandName = '' }) =>
        (args) => {
          const found = intercept({ operation: commandName.replace(/Command$/, ''), input: args.input });
          if (found?.kind === 'error') return Promise.reject(found.error);
          if (found?.kind === 'output')
            return Promise.resolve({ output: { $metadata: {}, ...found.output }, response: {} });
          return next(found === undefined ? args : { ...args, body: found });
        },
      { step: 'initialize', priority: 'high', name: 'intercept', override: true },
    );
    // Right above the transport, so that the SDK reads the body as it reads those of the wire.
    stack.add(
      (next) => (args) => (args.body === undefined ? next(args) : Promise.resolve({ response: pageOf(args.body) })),
      {
        step: 'deserialize',
        priority: 'low',
        name: 'interceptBody',
        override: true,
      },
    );
  }
  return clients;
}

const pageOf = ({ status, text }: Body): HttpResponse =>
  new HttpResponse({ statusCode: status, headers: { 'content-type': 'text/html' }, body: Buffer.from(text) });

/** An error as the SDK throws it. */
export const sdkError = (code: string, message = 'no', httpStatusCode = 400): Error =>
  Object.assign(new Error(message), { name: code, $metadata: { httpStatusCode } });
