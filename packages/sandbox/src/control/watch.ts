import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { ApiError, type Clock, type KubernetesClient } from '@nodewright/runtime';
import { keyOf } from './object-key.ts';
import type { Watched } from './watched.ts';

export type WatchDeps = { readonly client: KubernetesClient; readonly clock: Clock; readonly signal: AbortSignal };

const pageSize = 500;
const firstRetryMs = 1_000;
const longestRetryMs = 300_000;

/** Keeps `watched` level with the API until the signal aborts: list, watch, and again from the start when the watch is lost. */
export async function keepWatching<T extends KubernetesObject>(
  deps: WatchDeps,
  type: ResourceType<T>,
  watched: Watched<T>,
): Promise<void> {
  let retryMs = firstRetryMs;
  while (!deps.signal.aborted) {
    try {
      const from = await listInto(deps, type, watched);
      retryMs = firstRetryMs;
      await follow(deps, type, watched, from);
    } catch (error) {
      if (deps.signal.aborted) return;
      if (error instanceof ApiError && error.reason === 'Expired') continue;
      await deps.clock.sleep(retryMs, deps.signal).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }
}

async function listInto<T extends KubernetesObject>(
  { client }: WatchDeps,
  type: ResourceType<T>,
  watched: Watched<T>,
): Promise<string> {
  const items: T[] = [];
  let next = '';
  for (;;) {
    const page = await client.list(type, { limit: pageSize, ...(next === '' ? {} : { continue: next }) });
    items.push(...page.items);
    next = page.metadata.continue ?? '';
    if (next !== '') continue;
    watched.replace(items);
    return page.metadata.resourceVersion ?? '';
  }
}

/** Returns never: a watch that ends is taken up where it ended, and one that cannot be is an error. */
async function follow<T extends KubernetesObject>(
  { client, signal }: WatchDeps,
  type: ResourceType<T>,
  watched: Watched<T>,
  from: string,
): Promise<void> {
  let resourceVersion = from;
  while (!signal.aborted) {
    for await (const event of client.watch(type, { resourceVersion, allowWatchBookmarks: true, signal })) {
      if (event.type === 'ERROR') throw new ApiError(event.object);
      resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
      if (event.type === 'DELETED') watched.remove(keyOf(event.object));
      else if (event.type !== 'BOOKMARK') watched.put(event.object);
    }
  }
}
