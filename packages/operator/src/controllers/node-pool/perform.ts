import type { Objects } from '../../state/objects.ts';
import type { RegistrationHistory } from '../../state/registration-history.ts';
import type { PoolAction, PoolSnapshot } from './plan.ts';

export type NodePoolDeps = { readonly objects: Objects; readonly registrations: RegistrationHistory };

export async function performPoolAction(
  { objects, registrations }: NodePoolDeps,
  { nodePool }: PoolSnapshot,
  action: PoolAction,
): Promise<void> {
  switch (action.kind) {
    case 'migrateClaim':
      await objects.nodeClaims.save(action.claim, action.after);
      return;
    case 'forgetRegistrations':
      registrations.forget(nodePool);
      return;
    case 'write':
      await objects.nodePools.save(nodePool, action.after);
  }
}
