import type { Instant } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { claimsWith, ownName, stirOnChange, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { consistencyReconciler } from './reconciler.ts';

/**
 * `nodeclaim.consistency` wakes for a claim that changes, and every ten minutes for one that differs from its node, or whose
 * node has changed.
 */
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
  stirOnChange(objects.nodes, [[consistency, ({ spec }) => claimsWith(objects, spec?.providerID)]]);
  return consistency;
}
