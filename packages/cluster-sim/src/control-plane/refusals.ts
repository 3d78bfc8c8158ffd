import { ApiError } from '@nodewright/runtime';

export const isRefusedAs = (error: unknown, reason: string): boolean =>
  error instanceof ApiError && error.reason === reason;

/** `undefined` when the object is gone already. */
export const unlessGone = <T>(work: Promise<T>): Promise<T | undefined> => unlessRefusedAs('NotFound', work);

/** `undefined` when the API refuses for `reason`; other failures pass through. */
export async function unlessRefusedAs<T>(reason: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isRefusedAs(error, reason)) return undefined;
    throw error;
  }
}
