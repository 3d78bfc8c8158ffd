import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { expirationReconciler } from './reconciler.ts';

/** `nodeclaim.expiration` wakes for a claim that changes, and when the claim expires. */
export function startExpirationController(
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): Controller {
  const expiration = startNamed(host, 'nodeclaim.expiration', (turn) => expirationReconciler({ ...turn, objects }), {
    workers: 10,
  });
  wakeOnChange(objects.nodeClaims, [[expiration, ownName]]);
  return expiration;
}
