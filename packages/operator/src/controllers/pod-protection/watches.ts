import { karpenterAnnotations, type Pod } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { wakeOnChange } from '../../hosting/wake.ts';
import { cacheKeyOf } from '../../objects/object-cache.ts';
import type { Objects } from '../../state/objects.ts';
import { podProtection } from './reconciler.ts';

/** `pod.protection` wakes for a pod with the annotation `karpenter.sh/do-not-disrupt` that changes. */
export function startPodProtection(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const protection = startNamed(host, 'pod.protection', (turn) => podProtection({ ...turn, objects }));
  const keysOf = (pod: Pod): readonly string[] =>
    pod.metadata.annotations?.[karpenterAnnotations.doNotDisrupt] === undefined ? [] : [cacheKeyOf(pod)];
  wakeOnChange(objects.pods, [[protection, keysOf]]);
  return protection;
}
