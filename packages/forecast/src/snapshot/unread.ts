import type { UnreadPart } from '@nodewright/provider-aws';
import { ApiError } from '@nodewright/runtime';

/** What the work brings; where it fails, the part is noted as unread and the other value is used. */
export type OrUnread = <T>(what: string, otherwise: T, work: () => Promise<T>) => Promise<T>;

export const noteUnread =
  (unread: UnreadPart[], signal: AbortSignal): OrUnread =>
  async (what, otherwise, work) => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAnswer(error)) throw error;
      unread.push({ what, because: error instanceof Error ? error.message : String(error) });
      return otherwise;
    }
  };

/** A refusal, or an account that cannot be asked; anything else is a defect. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError || (error instanceof Error && error.name === 'CloudError');
