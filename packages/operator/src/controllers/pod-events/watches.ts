import type { Pod } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { cacheKeyOf } from '../../objects/object-cache.ts';
import type { Objects } from '../../state/objects.ts';
import { isPodEvent } from './pod-event.ts';
import { podEventReconciler } from './reconciler.ts';

/** `nodeclaim.podevents` wakes for a pod that comes to a node, ends there, or is asked to end. */
export function startPodEvents(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const podEvents = startNamed(host, 'nodeclaim.podevents', ({ clock }) => podEventReconciler({ objects, clock }));
  const wake = (before: Pod | undefined, after: Pod | undefined): void => {
    if (after !== undefined && isPodEvent(before, after)) podEvents.enqueue(cacheKeyOf(after));
  };
  for (const pod of objects.pods.list()) wake(undefined, pod);
  objects.pods.cache.onChange(({ before, after }) => wake(before, after));
  return podEvents;
}
