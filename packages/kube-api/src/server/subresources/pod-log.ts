import { fromTimestamp, type Instant, instant, seconds } from '@nodewright/apis';
import type { RequestOutcome } from '../outcome.ts';
import { parseInt64, parseSwitch } from '../../http/go-values.ts';
import { badRequestError } from '../../http/status-error.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, PodLogOptions, ServerContext } from '../world.ts';

type LoggedPod = { readonly spec?: { readonly containers?: readonly { readonly name: string }[] } };

/** Streams the log of a container. The stream is empty when no log is kept. */
export function streamPodLog(world: ServerContext, call: ResourceCall): RequestOutcome {
  const pod = findExisting(world, call);
  const { containers = [] } = (pod as unknown as LoggedPod).spec ?? {};
  const container = call.info.query.get('container') ?? containers[0]?.name;
  const { name } = pod.metadata;
  if (container !== undefined && !containers.some((each) => each.name === container)) {
    throw badRequestError(`container ${container} is not valid for pod ${name}`);
  }
  if (parseSwitch(call.info.query.get('previous')))
    throw badRequestError(
      `previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} not found`,
    );
  const chunks = world.podLogs?.({ namespace: call.path.namespace, name }, readLogOptions(world, call, container));
  const limit = parseInt64(call.info.query.get('limitBytes'));
  return { kind: 'stream', contentType: 'text/plain', chunks: truncateLog(chunks ?? emptyLog(), limit) };
}

function readLogOptions(
  { clock }: ServerContext,
  { info: { query }, signal }: ResourceCall,
  container: string | undefined,
): PodLogOptions {
  const tailLines = parseInt64(query.get('tailLines'));
  const since = readLogStart(query, clock.now());
  return {
    follow: parseSwitch(query.get('follow')),
    timestamps: parseSwitch(query.get('timestamps')),
    signal,
    ...(container !== undefined && { container }),
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
