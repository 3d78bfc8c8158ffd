import { seconds } from '@nodewright/apis';
import { parseKey, requeueAfter, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { bufferTemplateOf } from '../../state/buffer-units.ts';
import type { Objects } from '../../state/objects.ts';
import { plannedBuffer } from './plan.ts';

const lookAgainMs = seconds(30);

/** Asks for a scheduling round. Equal keys count once. */
export type RoundTrigger = { trigger(key: string): void };

type BufferReconcilerDeps = { readonly objects: Objects; readonly window: RoundTrigger; readonly clock: Clock };

/**
 * `capacitybuffer`: finds out what the units of a buffer are and how many, and asks for a round that gives them room, or
 * that frees the room of units that there are no more. Keys are buffers.
 */
export function bufferReconciler({ objects, window, clock }: BufferReconcilerDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const buffer = objects.capacityBuffers.get(name, namespace);
    if (buffer === undefined || buffer.metadata.deletionTimestamp !== undefined) {
      window.trigger(key);
      return settled;
    }
    const found = bufferTemplateOf(objects, buffer);
    await objects.capacityBuffers.save(buffer, plannedBuffer(buffer, found, clock.now()));
    window.trigger(buffer.metadata.uid ?? key);
    return requeueAfter(lookAgainMs);
  };
}
