import type { Instant } from '@nodewright/apis';
import { badReceiptHandle } from './errors.ts';

/** One attribute that a sender put beside the body. Binary values are base64. */
export type MessageAttribute = { readonly type: string; readonly text?: string; readonly base64?: string };

/** What a FIFO queue knows of a message beside others. */
export type FifoPlace = { readonly groupId: string; readonly deduplicationId: string; readonly sequence: string };

export type Message = {
  readonly id: string;
  /** Name of the queue it is in. */
  readonly queue: string;
  readonly body: string;
  readonly attributes?: Readonly<Record<string, MessageAttribute>>;
  /** Who sent it: the id of an IAM principal. */
  readonly sender: string;
  readonly traceHeader?: string;
  readonly sentAt: Instant;
  /** When the message can be received: a delay or a visibility timeout ends then. */
  readonly visibleAt: Instant;
  readonly receives: number;
  readonly firstReceivedAt?: Instant;
  /** Of a FIFO queue. */
  readonly fifo?: FifoPlace;
};

/** Names one receive of one message; only the latest can delete it. */
export const receiptHandleOf = ({ queue, id, receives }: Message): string =>
  Buffer.from(JSON.stringify([queue, id, receives])).toString('base64');

/** @throws AwsError for a text that was never given out, or for another queue */
export function readReceiptHandle(handle: string, queue: string): { readonly id: string; readonly receives: number } {
  const [of, id, receives] = parseReceiptHandle(handle);
  if (of !== queue || typeof id !== 'string' || typeof receives !== 'number') throw badReceiptHandle(handle);
  return { id, receives };
}

function parseReceiptHandle(handle: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(handle, 'base64').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
