import type { KubernetesObject } from '@nodewright/apis';
import type { KubernetesClient, WatchEvent } from '@nodewright/runtime';

/** Returns another object in the place of one that is read, or `undefined` to hide it. */
export type RewriteObject = (object: KubernetesObject) => KubernetesObject | undefined;

/** A client that reads objects otherwise than they are, in answers to writes too. Writes pass unchanged. */
export function rewriteReads(client: KubernetesClient, rewrite: RewriteObject): KubernetesClient {
  const rewritten = <T extends KubernetesObject>(object: T): T | undefined => rewrite(object) as T | undefined;
  const rewrittenAnswer = <T extends KubernetesObject>(object: T): T => rewritten(object) ?? object;
  return {
    get: async (type, key) => {
      const found = await client.get(type, key);
      return found && rewritten(found);
    },
    list: async (type, options) => {
      const found = await client.list(type, options);
      return { ...found, items: found.items.flatMap((item) => rewritten(item) ?? []) };
    },
    watch: (type, options) => rewriteEvents(client.watch(type, options), rewritten),
    create: (type, object, options) => client.create(type, object, options).then(rewrittenAnswer),
    update: (type, object, options) => client.update(type, object, options).then(rewrittenAnswer),
    patch: (type, key, patch, options) => client.patch(type, key, patch, options).then(rewrittenAnswer),
    delete: (type, key, options) => client.delete(type, key, options),
    evict: (pod, options) => client.evict(pod, options),
    bind: (pod, nodeName) => client.bind(pod, nodeName),
    serves: (type) => client.serves(type),
    version: () => client.version(),
  };
}

async function* rewriteEvents<T extends KubernetesObject>(
  events: AsyncIterable<WatchEvent<T>>,
  rewritten: (object: T) => T | undefined,
): AsyncIterable<WatchEvent<T>> {
  for await (const event of events) {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') {
      yield event;
      continue;
    }
    const object = rewritten(event.object);
    if (object !== undefined) yield { ...event, object };
  }
}
