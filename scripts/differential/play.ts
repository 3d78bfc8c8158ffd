import { type HttpRequest, type HttpResponse, realTime } from '@nodewright/runtime';
import { type Answered, compareAnswers, type Difference } from './compare.ts';
import type { TestedKind } from './kinds.ts';
import { normalizeAnswer, parseAnswer } from './normalize.ts';
import { collectionOf, listObjectNames, testNamespace } from './paths.ts';
import type { TestedServer } from './servers.ts';
import { edited, isMap, type Json, type JsonMap, type Step, valueAt } from './step.ts';

export type PlayedStep = {
  readonly step: Step;
  readonly ours: Answered;
  readonly real: Answered;
  readonly differences: readonly Difference[];
};

/** How long a stream is silent before it counts as read. */
const silenceMs = 150;

/** Kinds that the plugins of a real server hear of a moment later. */
const heardOfLater = new Map([
  ...['PriorityClass', 'RuntimeClass', 'LimitRange', 'ResourceQuota', 'StorageClass', 'IngressClass'].map(
    (kind) => [kind, 100] as const,
  ),
  ['CustomResourceDefinition', 600],
  ['APIService', 100],
  ['ServiceCIDR', 100],
]);

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

type Raw = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string };

const { clock } = realTime();

async function send(
  server: TestedServer,
  { method, path, headers = {}, body = '' }: Sent,
  isStream = false,
): Promise<Raw> {
  const gone = new AbortController();
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = {
    method,
    path,
    headers: { 'user-agent': 'differential/1', ...length, ...headers },
    body: Buffer.from(body),
  };
  const answer = await answered(server, request, gone.signal);
  const chunks: Uint8Array[] = [];
  if (answer.body instanceof Uint8Array) chunks.push(answer.body);
  else {
    const read = readAll(answer.body, chunks);
    if (isStream && answer.status === 200) {
      await Promise.race([read, untilSilent(chunks)]);
      gone.abort();
    } else await read;
  }
  return { status: answer.status, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') };
}

/** A defect of the embedded server is an answer, too: its sockets would make a 500 of it. */
async function answered(server: TestedServer, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  try {
    return await server.send(request, signal);
  } catch (error) {
    // A server ends a connection that was kept alive at any time: once more, over a new one.
    if (server.name === 'real') return server.send(request, signal);
    const body = { kind: 'Status', reason: 'InternalError', message: String(error), code: 500 };
    return { status: 500, headers: {}, body: Buffer.from(JSON.stringify(body)) };
  }
}

async function readAll(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): Promise<void> {
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch {
    // The stream was ended here.
  }
}

async function untilSilent(chunks: readonly unknown[]): Promise<void> {
  for (let seen = -1; seen !== chunks.length;) {
    seen = chunks.length;
    await clock.sleep(silenceMs);
  }
}

const withRun = (text: string, run: string): string => text.replaceAll('RUN', run);

const printBody = (body: Json): string => JSON.stringify(body).replaceAll(/"@int:(-?\d+)"/g, '$1');

/** The text of a body, with the member that is written twice. */
function bodyText(body: Json | undefined, { repeated }: Step): string {
  if (body === undefined) return '';
  const text = printBody(body);
  if (repeated === undefined || !text.startsWith('{"')) return text;
  return `{${JSON.stringify(repeated.name)}:${printBody(repeated.value)},${text.slice(1)}`;
}

async function bodyOf(server: TestedServer, step: Step, run: string): Promise<string> {
  const { current, edits = [], body } = step;
  if (current === undefined) return withRun(bodyText(body, step), run);
  const { status, text } = await send(server, { method: 'GET', path: withRun(current, run) });
  const stored = status === 200 ? parseAnswer(text) : body;
  return withRun(bodyText(edits.reduce<Json | undefined>(edited, stored), step), run);
}

async function answerOf(server: TestedServer, step: Step, run: string): Promise<Answered> {
  const headers = {
    ...(step.accept !== undefined && { accept: step.accept }),
    ...(step.contentType !== undefined && { 'content-type': step.contentType }),
  };
  const body = await bodyOf(server, step, run);
  const { method, isStream = false } = step;
  const raw = await send(server, { method, path: withRun(step.path, run), headers, body }, isStream);
  const warning = raw.headers['warning'];
  const text = withoutDrawnName(raw.text, step);
  return {
    status: raw.status,
    contentType: raw.headers['content-type'] ?? '',
    warnings: warning === undefined ? [] : [normalizeAnswer(warning, run) as string],
    body: normalizeAnswer(isStream && raw.status === 200 ? readLines(text) : parseAnswer(text), run),
  };
}

/** A server draws the end of a name, whatever the prefix is. */
function withoutDrawnName(text: string, { body }: Step): string {
  const prefix = valueAt(body, ['metadata', 'generateName']);
  if (typeof prefix !== 'string' || prefix === '' || valueAt(body, ['metadata', 'name']) !== undefined) return text;
  const drawn = JSON.stringify(prefix.slice(0, 58))
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replaceAll(new RegExp(`(?<=["'])(${drawn})[bcdfghjklmnpqrstvwxz2456789]{5}(?=\\\\?["'])`, 'g'), '$1NAME');
}

const readLines = (text: string): Json =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseAnswer);

const isWrite = ({ method }: Step): boolean => method !== 'GET';

const isKept = (step: Step): boolean => isWrite(step) && !step.path.includes('dryRun=All');

/** Whether what is stored may differ from here on. */
const isDiverged = ({ step, ours, real }: PlayedStep): boolean =>
  isKept(step) && ours.status < 300 !== real.status < 300;

export type PlayOptions = {
  readonly ours: TestedServer;
  readonly real: TestedServer;
  readonly kinds: readonly TestedKind[];
};

/** Plays histories on two servers. */
export class HistoryPlayer {
  readonly #options: PlayOptions;
  readonly #prefix: string;
  #played = 0;

  /** @param prefix of the words that stand for `RUN`; letters and digits, new for each start */
  constructor(options: PlayOptions, prefix: string) {
    this.#options = options;
    this.#prefix = prefix;
  }

  /** Ends with the first write that one server takes and the other refuses: what follows would only be its consequence. */
  async play(steps: readonly Step[]): Promise<readonly PlayedStep[]> {
    this.#played += 1;
    const run = `${this.#prefix}q${this.#played}q`;
    await this.#onBoth((server) => prepareNamespace(server, run));
    const played: PlayedStep[] = [];
    for (const step of steps) {
      const next = await this.#step(step, run);
      played.push(next);
      if (isDiverged(next)) break;
    }
    await this.#onBoth((server) => this.#clear(server, steps, run));
    return played;
  }

  async #step(step: Step, run: string): Promise<PlayedStep> {
    const [ours, real] = await this.#onBoth((server) => answerOf(server, step, run));
    const pause = heardOfLater.get(step.kind);
    if (pause !== undefined && isKept(step)) await clock.sleep(pause);
    return { step, ours, real, differences: compareAnswers(ours, real) };
  }

  #onBoth<T>(work: (server: TestedServer) => Promise<T>): Promise<readonly [T, T]> {
    return Promise.all([work(this.#options.ours), work(this.#options.real)]);
  }

  /** Objects without a namespace would be met by the next histories. */
  async #clear(server: TestedServer, steps: readonly Step[], run: string): Promise<void> {
    const touched = new Set(steps.filter(isWrite).map(({ kind }) => kind));
    const kinds = this.#options.kinds.filter(({ kind, verbs }) => touched.has(kind) && verbs.includes('delete'));
    for (const kind of kinds.filter(({ namespaced }) => !namespaced))
      for (const name of listObjectNames(kind)) await remove(server, withRun(`${collectionOf(kind)}/${name}`, run));
    for (const kind of kinds.filter((found) => found.kind === 'Service'))
      await send(server, { method: 'DELETE', path: withRun(collectionOf(kind), run) });
  }
}

async function remove(server: TestedServer, path: string): Promise<void> {
  const { status } = await send(server, { method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
  if (status === 404) return;
  const headers = { 'content-type': 'application/merge-patch+json' };
  await send(server, { method: 'PATCH', path, headers, body: '{"metadata":{"finalizers":null}}' });
  await send(server, { method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
}

const json = { 'content-type': 'application/json' };

const post = (server: TestedServer, path: string, object: JsonMap): Promise<Raw> =>
  send(server, { method: 'POST', path, headers: json, body: JSON.stringify(object) });

/** A namespace with what controllers put into each, which no controller may be there to do. */
async function prepareNamespace(server: TestedServer, run: string): Promise<void> {
  const name = withRun(testNamespace, run);
  await post(server, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await post(server, `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  await post(server, `/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'kube-root-ca.crt' } });
}

/** What one server answers to the requests of a history. */
export async function playAlone(
  server: TestedServer,
  steps: readonly Step[],
  run: string,
): Promise<readonly Answered[]> {
  await prepareNamespace(server, run);
  const answers: Answered[] = [];
  for (const step of steps) answers.push(await answerOf(server, step, run));
  return answers;
}

/** Installs definitions and waits until their kinds are served. */
export async function installDefinitions(server: TestedServer, definitions: readonly JsonMap[]): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const definition of definitions) {
    const { status, text } = await post(server, path, definition);
    if (status !== 201 && status !== 409) throw new Error(`the ${server.name} server refuses a definition: ${text}`);
  }
  for (const { metadata } of definitions) {
    const name = isMap(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
    const isEstablished = async () =>
      (await send(server, { method: 'GET', path: `${path}/${name}` })).text.includes('"Established"');
    while (!(await isEstablished())) await clock.sleep(100);
  }
  await clock.sleep(1_000);
}

/** A document that describes the API, such as `/openapi/v2`. */
export async function readDocument(server: TestedServer, path: string): Promise<unknown> {
  return JSON.parse((await send(server, { method: 'GET', path, headers: { accept: 'application/json' } })).text);
}
