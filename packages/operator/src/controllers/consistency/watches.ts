import type { Instant } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { consistencyReconciler } from './reconciler.ts';

/** `nodeclaim.consistency` wakes for a claim that changes, and every ten minutes. */
export function startConsistencyController(
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): Controller {
  const scans = new Map<string, Instant>();
  const consistency = startNamed(
    host,
    'nodeclaim.consistency',
    (turn) => consistencyReconciler({ ...turn, objects, scans }),
    { workers: 10 },
  );
  wakeOnChange(objects.nodeClaims, [[consistency, ownName]]);
  return consistency;
}
