import { seconds } from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import { requeueAfter, settled, type Reconciler } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import { isToBeTagged, planTags, wasTagged, withTaggedAnnotation } from './plan.ts';

type TaggingDeps = { readonly objects: Objects; readonly instances: InstancePort };

/** EC2 may describe it a little later, and a claim without an instance goes by itself. */
const notDescribedMs = seconds(30);

/** `nodeclaim.tagging`: tags an instance with the name of its node once that is known. Keys are claim names. */
export function taggingReconciler({ objects, instances }: TaggingDeps): Reconciler {
  return async (name, signal) => {
    const claim = objects.nodeClaims.get(name);
    if (claim === undefined || !isToBeTagged(claim)) return settled;
    const { providerID = '' } = claim.status ?? {};
    // What was read to tell a new node's identity is new enough: no other client tags the instance in between.
    const instance = await (wasTagged(claim)
      ? instances.get(providerID, signal)
      : instances.lastSeen(providerID, signal));
    if (instance === undefined) return requeueAfter(notDescribedMs);
    const tags = planTags(claim, instance);
    if (tags !== undefined) await instances.tag(providerID, tags, signal);
    await objects.nodeClaims.save(claim, withTaggedAnnotation(claim));
    return settled;
  };
}
