import { fromTimestamp, type Instant, instant, seconds } from '@nodewright/apis';
import type { RequestOutcome } from '../outcome.ts';
import { parseInt64, parseSwitch } from '../../http/go-values.ts';
import { badRequestError } from '../../http/status-error.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, PodLogOptions, ServerContext } from '../world.ts';
import { type ConnectedPod, containerNameOf, statusOfContainer } from './containers.ts';
import { type PodContainer, watchContainerEnd } from './container-end.ts';

/** Streams the log of a container, by default that of the first. The stream is empty when no log is kept. */
export function streamPodLog(world: ServerContext, call: ResourceCall): RequestOutcome {
  const pod = findExisting(world, call) as ConnectedPod;
  const { query } = call.info;
  const container = containerNameOf(pod, query.get('container') ?? pod.spec?.containers?.[0]?.name ?? null);
  refuseAbsentLog(pod, container, parseSwitch(query.get('previous')));
  const chunks = world.podLogs?.(pod, readLogOptions(world, call, { pod, container }));
  const limit = parseInt64(query.get('limitBytes'));
  return { kind: 'stream', contentType: 'text/plain', chunks: truncateLog(chunks ?? emptyLog(), limit) };
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

function readLogOptions(world: ServerContext, call: ResourceCall, logged: PodContainer): PodLogOptions {
  const { query } = call.info;
  const tailLines = parseInt64(query.get('tailLines'));
  const since = readLogStart(query, world.clock.now());
  const follow = parseSwitch(query.get('follow'));
  return {
    container: logged.container,
    previous: parseSwitch(query.get('previous')),
    follow,
    timestamps: parseSwitch(query.get('timestamps')),
    signal: follow ? AbortSignal.any([call.signal, watchContainerEnd(world, call, logged)]) : call.signal,
    ...(tailLines !== undefined && { tailLines }),
    ...(since !== undefined && { since }),
  };
}

function readLogStart(query: URLSearchParams, now: Instant): Instant | undefined {
  const sinceSeconds = parseInt64(query.get('sinceSeconds'));
  if (sinceSeconds !== undefined) return instant(now - seconds(sinceSeconds));
  const time = query.get('sinceTime');
  return time === null ? undefined : fromTimestamp(time);
}

async function* truncateLog(chunks: AsyncIterable<Uint8Array>, limit: number | undefined): AsyncGenerator<Uint8Array> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const chunk of chunks) {
    yield chunk.length <= left ? chunk : chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* emptyLog(): AsyncGenerator<Uint8Array> {}
