import { parseKey, requeueAfter, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { bufferTemplateOf } from '../../state/buffer-units.ts';
import type { Objects } from '../../state/objects.ts';
import type { BatchWindow } from '../provisioning/batch-window.ts';
import { plannedBuffer } from './plan.ts';

const lookAgainMs = 30_000;

type BufferReconcilerDeps = { readonly objects: Objects; readonly window: BatchWindow; readonly clock: Clock };

/** `capacitybuffer`: finds out what the units of a buffer are and how many, and asks for a round that gives them room. Keys are buffers. */
export function bufferReconciler({ objects, window, clock }: BufferReconcilerDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const buffer = objects.capacityBuffers.get(name, namespace);
    if (buffer === undefined || buffer.metadata.deletionTimestamp !== undefined) return settled;
    const found = bufferTemplateOf(objects, buffer);
    await objects.capacityBuffers.save(buffer, plannedBuffer(buffer, found, clock.now()));
    if (found.kind === 'found') window.trigger(buffer.metadata.uid ?? key);
    return requeueAfter(lookAgainMs);
  };
}
