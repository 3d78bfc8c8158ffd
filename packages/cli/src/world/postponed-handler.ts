import type { RequestHandler } from '@nodewright/runtime';

/** A handler whose requests wait until it is known who answers them. */
export type PostponedHandler = { readonly handle: RequestHandler; become(handler: RequestHandler): void };

export function postponedHandler(): PostponedHandler {
  let become: (handler: RequestHandler) => void = () => undefined;
  const known = new Promise<RequestHandler>((resolve) => (become = resolve));
  return { handle: async (request, signal) => (await known)(request, signal), become };
}
