import type { InstancePort } from '@nodewright/ports';
import type { Objects } from '../../state/objects.ts';
import type { GarbageAction } from './plan.ts';

export type GarbageDeps = { readonly objects: Objects; readonly instances: InstancePort };

export async function performGarbageAction(
  { objects, instances }: GarbageDeps,
  action: GarbageAction,
  signal: AbortSignal,
): Promise<void> {
  switch (action.kind) {
    case 'deleteClaim':
      await objects.nodeClaims.delete(action.claim);
      return;
    case 'terminate':
      await instances.terminate(action.instance.providerId, signal);
      if (action.node !== undefined) await objects.nodes.delete(action.node);
  }
}
