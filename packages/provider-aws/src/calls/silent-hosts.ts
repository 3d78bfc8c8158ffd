import { classifyError } from './error-codes.ts';

type Args = { readonly request?: { readonly hostname?: string } };
type Send = (args: object) => Promise<object>;

/**
 * Middleware for a command that a person waits for: a host that let one call time out is not asked again, and later calls
 * fail with the same error. The controller asks again, for it has time.
 */
export function refuseSilentHosts(): (next: Send) => Send {
  const silent = new Map<string, unknown>();
  return (next) => async (args) => {
    const host = (args as Args).request?.hostname ?? '';
    if (silent.has(host)) throw silent.get(host);
    try {
      return await next(args);
    } catch (error) {
      if (classifyError(error) === 'timeout') silent.set(host, error);
      throw error;
    }
  };
}
