import { nodes, type PodDisruptionBudget, type Node, type Pod } from '@nodewright/apis';
import { ApiError, type KubernetesClient, type WatchEvent } from '@nodewright/runtime';
import { test } from 'vitest';

/** A client of an API server that has the namespace `default` and neither nodes nor pods. */
export type ClientUnderTest = {
  readonly client: KubernetesClient;
  /** Waits for work, and lets time pass meanwhile where a test has to move it. */
  readonly finish: <T>(work: Promise<T>) => Promise<T>;
  /** The server forgets what it could resume watches from. */
  readonly compact: () => void;
};

/** What a server may be unable to do; a test of it does not run there. */
export type ServerLimit =
  | 'bindings'
  | 'dry runs'
  | 'evictions'
  | 'finalizers'
  | 'generated names'
  | 'generations'
  | 'grace periods'
  | 'json patches'
  | 'no-op writes'
  | 'selectors'
  | 'subresources'
  | 'unknown kinds'
  | 'validation'
  | 'version';

/** With the reason of each limit. */
export type ServerLimits = Partial<Readonly<Record<ServerLimit, string>>>;

export const aNodeNamed = (name: string, labels: Readonly<Record<string, string>> = {}): Node => ({
  metadata: { name, labels },
});

export const aPodNamed = (name: string, labels: Readonly<Record<string, string>> = {}): Pod => ({
  metadata: { name, namespace: 'default', labels },
  spec: { containers: [{ name: 'main', image: 'pause' }] },
});

/** For pods of the app `web`. */
export const aBudget = (minAvailable: number): PodDisruptionBudget => ({
  metadata: { name: 'budget', namespace: 'default' },
  spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
});

export const podKey = (name: string) => ({ name, namespace: 'default' });
export const namesOf = (objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name);

/** The refusal of a call; the test fails when there is none. */
export async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error(`no refusal of the API server: ${String(error)}`);
}

type Story = (client: KubernetesClient, subject: ClientUnderTest) => Promise<void>;

/** Tests of a client: each has a subject of its own. */
export type ClientFacts = {
  readonly fact: (sentence: string, story: Story) => void;
  /** A limit is a fact as well: when the server can do it, this fails, and the limit has to go. */
  readonly factUnless: (limit: ServerLimit, sentence: string, story: Story) => void;
};

export function clientFacts(
  createSubject: () => ClientUnderTest | Promise<ClientUnderTest>,
  limits: ServerLimits,
): ClientFacts {
  const play = (story: Story) => async (): Promise<void> => {
    const subject = await createSubject();
    await subject.finish(story(subject.client, subject));
  };
  const fact = (sentence: string, story: Story) => test(sentence, play(story));
  return {
    fact,
    factUnless: (limit, sentence, story) =>
      limits[limit] === undefined
        ? fact(sentence, story)
        : test.fails(`${sentence}: not here (${limits[limit]})`, play(story)),
  };
}

export const mergePatch = (patch: object) => ({ type: 'merge', patch }) as const;

type NodeEvent = Exclude<WatchEvent<Node>, { readonly type: 'ERROR' }>;

/** The first events of a watch of nodes, without bookmarks; with a type, the first of that type. */
export async function takeEvents(
  client: KubernetesClient,
  options: Parameters<KubernetesClient['watch']>[1],
  count: number,
  wanted?: NodeEvent['type'],
): Promise<readonly NodeEvent[]> {
  const taken: NodeEvent[] = [];
  for await (const event of client.watch<Node>(nodes, options)) {
    if (event.type === 'ERROR') throw new ApiError(event.object);
    if (event.type !== 'BOOKMARK' && (wanted ?? event.type) === event.type) taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}
