import type { KubernetesObject } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, wakeOnChange } from '../../hosting/wake.ts';
import type { CachedCollection } from '../../objects/collection.ts';
import { cacheKeyOf } from '../../objects/object-cache.ts';
import { refersTo } from '../../state/buffer-units.ts';
import type { Objects } from '../../state/objects.ts';
import { bufferReconciler, type RoundTrigger } from './reconciler.ts';

type BufferWatchSources = { readonly objects: Objects; readonly window: RoundTrigger };

/**
 * `capacitybuffer` wakes for a buffer with another spec, and for the buffers that refer to a pod template or workload with
 * another spec.
 */
export function startBufferController(host: ControllerHost, { objects, window }: BufferWatchSources): Controller {
  const { capacityBuffers, podTemplates, deployments, statefulSets, replicaSets } = objects;
  const buffers = startNamed(host, 'capacitybuffer', ({ clock }) => bufferReconciler({ objects, clock, window }), {
    workers: 10,
  });
  const wakeReferrers = <T extends KubernetesObject>(source: CachedCollection<T>): void => {
    const referrers = (object: T) =>
      capacityBuffers
        .list()
        .filter((buffer) => refersTo(buffer, source.type.kind, object))
        .map(cacheKeyOf);
    wakeOnChange(source, [[buffers, referrers]], isAnotherGeneration);
  };
  wakeOnChange(capacityBuffers, [[buffers, (buffer) => [cacheKeyOf(buffer)]]], isAnotherGeneration);
  wakeReferrers(podTemplates);
  wakeReferrers(deployments);
  wakeReferrers(statefulSets);
  wakeReferrers(replicaSets);
  return buffers;
}
