import { type EndpointSlice, instant, type ResourceType } from '@nodewright/apis';
import { ApiError, createLogger, type KubernetesClient, seededRandom, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createObjects } from './objects.ts';
import { projectEndpointSlice, watchObjects } from './watches.ts';

/** A server without objects that answers lists of one kind with an error. */
const aServer = (plural: string, code: number): KubernetesClient =>
  ({
    list: async (type: ResourceType) => {
      if (type.plural !== plural) return { items: [], metadata: { resourceVersion: '1' } };
      throw new ApiError({ kind: 'Status', status: 'Failure', code, message: 'no', reason: 'No' });
    },
    watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
  }) as Partial<KubernetesClient> as KubernetesClient;

function startWatches(client: KubernetesClient) {
  const time = virtualTime(instant(0));
  const { clock } = time;
  const lines: string[] = [];
  const log = createLogger({ clock, sink: { write: (line) => void lines.push(line) } });
  const also = { selectors: false, overlays: false, buffers: false };
  const watches = watchObjects(createObjects(client), { client, clock, random: seededRandom(1), log, also });
  let isSynced = false;
  void watches.synced().then(() => (isSynced = true));
  return { lines, isSynced: () => isSynced, pass: (ms: number) => time.run(instant(clock.now() + ms)) };
}

for (const { fact, plural, code, isSynced, warnings } of [
  {
    fact: 'rules whose definition is not installed are not waited for',
    plural: 'imagerules',
    code: 404,
    isSynced: true,
    warnings: 0,
  },
  {
    fact: 'rules that the role does not let it read are warned of',
    plural: 'imagerules',
    code: 403,
    isSynced: true,
    warnings: 1,
  },
  {
    fact: 'rules of a server that fails are waited for',
    plural: 'imagerules',
    code: 500,
    isSynced: false,
    warnings: 1,
  },
  {
    fact: 'a revision that is gone is told of when it is the second in a row',
    plural: 'pods',
    code: 410,
    isSynced: false,
    warnings: 1,
  },
  { fact: 'pods are waited for', plural: 'pods', code: 403, isSynced: false, warnings: 1 },
]) {
  test(`${fact} (${code})`, async () => {
    const watches = startWatches(aServer(plural, code));
    await watches.pass(1);
    expect(watches.isSynced()).toBe(isSynced);
    expect(watches.lines.filter((line) => line.includes('watch failed'))).toHaveLength(warnings);
  });
}

test('a slice of a Service without pods, whose endpoints are null, has none', () => {
  const text = '{"metadata":{"name":"web-1"},"addressType":"IPv4","endpoints":null,"ports":null}';
  expect(projectEndpointSlice(JSON.parse(text) as EndpointSlice).endpoints).toEqual([]);
});
