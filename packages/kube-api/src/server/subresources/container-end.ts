import type { ResourceCall, ServerContext } from '../world.ts';
import { type ConnectedPod, statusOfContainer } from './containers.ts';

export type PodContainer = { readonly pod: ConnectedPod; readonly container: string };

/** Aborts when the container has ended or its pod is gone. Stops watching when the client has left. */
export function watchContainerEnd(
  { store }: ServerContext,
  { signal }: ResourceCall,
  { pod, container }: PodContainer,
): AbortSignal {
  const ended = new AbortController();
  const unsubscribe = store.collection('pods').subscribe(({ type, object }) => {
    if (object.metadata.uid !== pod.metadata.uid) return;
    if (type === 'DELETED' || statusOfContainer(object, container)?.state?.terminated !== undefined) ended.abort();
  });
  for (const each of [ended.signal, signal]) each.addEventListener('abort', () => unsubscribe(), { once: true });
  return ended.signal;
}
