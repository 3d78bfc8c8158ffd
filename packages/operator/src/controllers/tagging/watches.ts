import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { isToBeTagged } from './plan.ts';
import { taggingReconciler } from './reconciler.ts';

const oneASecond = { perSecond: 1, burst: 1 };

/** `nodeclaim.tagging` wakes for a claim that changes and whose instance is not tagged yet. */
export function startTaggingController(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const tagging = startNamed(host, 'nodeclaim.tagging', ({ instances }) => taggingReconciler({ objects, instances }), {
    bucket: oneASecond,
  });
  wakeOnChange(objects.nodeClaims, [[tagging, (claim) => (isToBeTagged(claim) ? ownName(claim) : [])]]);
  return tagging;
}
