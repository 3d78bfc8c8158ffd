import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { expirationReconciler } from './reconciler.ts';

/** `nodeclaim.expiration` wakes for a claim that changes, when the claim expires, and for all claims when a pause changes. */
export function startExpirationController(
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): Controller {
  const expiration = startNamed(host, 'nodeclaim.expiration', (turn) => expirationReconciler({ ...turn, objects }), {
    workers: 10,
  });
  wakeOnChange(objects.nodeClaims, [[expiration, ownName]]);
  wakeOnChange(objects.pauses, [[expiration, () => objectNames(objects.nodeClaims.list())]]);
  return expiration;
}
