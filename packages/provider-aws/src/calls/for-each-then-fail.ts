import { isEndpointError } from './error-codes.ts';

/**
 * Does the work for every item, also after one has failed, and then throws the first failure. An endpoint that does not
 * answer is not asked for the next item.
 */
export async function forEachThenFail<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isEndpointError(error) || (error instanceof Error && error.name === 'AbortError')) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
