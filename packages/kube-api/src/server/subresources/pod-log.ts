import type { RequestOutcome } from '../outcome.ts';
import { badRequestError } from '../../http/status-error.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, PodLogOptions, ServerContext } from '../world.ts';
import { type ConnectedPod, containerNameOf, statusOfContainer } from './containers.ts';
import { type PodContainer, watchContainerEnd } from './container-end.ts';
import { type AskedLog, readLogOptions } from './pod-log-options.ts';

/** Streams the log of a container, which a pod of several has to be asked for by name. The stream is empty when no log is kept. */
export function streamPodLog(world: ServerContext, call: ResourceCall): RequestOutcome {
  const { query } = call.info;
  const { limitBytes, ...asked } = readLogOptions(query, call.path.name, world.clock.now());
  const pod = findExisting(world, call) as ConnectedPod;
  const container = containerNameOf(pod, query.get('container'));
  refuseAbsentLog(pod, container, asked.previous);
  const chunks = world.podLogs?.(pod, completeLogOptions(world, call, { asked, logged: { pod, container } }));
  return { kind: 'stream', contentType: 'text/plain', chunks: truncateLog(chunks ?? emptyLog(), limitBytes) };
}

/** Throws a 400 for a run that there was not, and for a container that has not begun. */
function refuseAbsentLog(pod: ConnectedPod, container: string, previous: boolean): void {
  const { state, lastState } = statusOfContainer(pod, container) ?? {};
  const [quotedContainer, quotedPod] = [JSON.stringify(container), JSON.stringify(pod.metadata.name)];
  if (lastState?.terminated !== undefined) return;
  if (previous) throw badRequestError(`previous terminated container ${quotedContainer} in pod ${quotedPod} not found`);
  if (state?.waiting === undefined) return;
  const reason = state.waiting.reason ?? 'ContainerCreating';
  throw badRequestError(`container ${quotedContainer} in pod ${quotedPod} is waiting to start: ${reason}`);
}

type LogRequest = { readonly asked: Omit<AskedLog, 'limitBytes'>; readonly logged: PodContainer };

const completeLogOptions = (
  world: ServerContext,
  call: ResourceCall,
  { asked, logged }: LogRequest,
): PodLogOptions => ({
  ...asked,
  container: logged.container,
  signal: asked.follow ? AbortSignal.any([call.signal, watchContainerEnd(world, call, logged)]) : call.signal,
});

async function* truncateLog(chunks: AsyncIterable<Uint8Array>, limit: number | undefined): AsyncGenerator<Uint8Array> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const chunk of chunks) {
    yield chunk.length <= left ? chunk : chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* emptyLog(): AsyncGenerator<Uint8Array> {}
