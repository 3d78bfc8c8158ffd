import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fromTimestamp,
  karpenterCustomResources,
  type KubernetesObject,
  nodewrightCustomResources,
  type ResourceType,
} from '@nodewright/apis';
import type { Aws } from '@nodewright/aws-endpoints';
import { createApiServer } from '@nodewright/kube-api';
import {
  type HttpRequest,
  type HttpResponse,
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
  seededRandom,
  virtualTime,
} from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import { testAccessKey } from './aws/test-account.ts';

const administrator = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

type ServedClusterOptions = {
  /** The time that stands still. */
  readonly at?: string;
  readonly version?: string;
  /** Whether the kinds of Karpenter and our own are installed [yes]. */
  readonly areKindsInstalled?: boolean;
  /** The user that requests on the socket come from; its roles are in `store` [an administrator]. */
  readonly asUser?: string;
  /** The account, on a socket of its own. */
  readonly aws?: Pick<Aws, 'handle'>;
  /** What happens in the cluster after a request, before its answer goes out: a controller that is quick. */
  readonly afterRequest?: (line: string, cluster: Pick<ServedCluster, 'ask'>) => Promise<void>;
};

export type ServedCluster = {
  /** Asks the API server beside the socket. */
  ask<T>(work: (client: KubernetesClient) => Promise<T>): Promise<T>;
  /** `--kubeconfig FILE --clock URL`: what leads a command to this cluster and its time. */
  readonly flags: readonly string[];
  /** What leads the SDK to the account. */
  readonly environment: Readonly<Record<string, string>>;
  /** A directory that is deleted with the cluster. */
  readonly directory: string;
  /** Creates an object with its status. */
  store<T extends KubernetesObject>(type: ResourceType<T>, ...objects: readonly T[]): Promise<void>;
  /** The paths that were asked for, in order; without those of the clock. */
  readonly requests: readonly string[];
  close(): Promise<void>;
};

/**
 * An API server on a loopback socket, for commands that find their cluster by a kubeconfig. Its time stands still and is
 * told to whoever asks for the clock of a sandbox, so that nothing depends on how fast the machine is.
 */
export async function aServedCluster({
  at = '2024-08-15T10:00:00Z',
  version = '1.30',
  areKindsInstalled = true,
  asUser,
  aws,
  afterRequest,
}: ServedClusterOptions = {}): Promise<ServedCluster> {
  const time = virtualTime(fromTimestamp(at));
  const { clock, gate } = time;
  const server = createApiServer({
    clock,
    random: seededRandom('served'),
    version,
    customResources: areKindsInstalled ? [...karpenterCustomResources, ...nodewrightCustomResources] : [],
  });
  const client = kubernetesClient({
    transport: inProcessTransport(gate, server.handle, { peer: administrator }),
    gate,
    userAgent: 'test',
  });
  const peer = asUser === undefined ? administrator : { clientCertificate: { commonName: asUser, organizations: [] } };
  const requests: string[] = [];
  const ask: ServedCluster['ask'] = (work) => time.finish(work(client));
  const handle = async (request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
    if (request.path.startsWith('/clock')) return answerClock(request, { at, signal });
    const line = `${request.method} ${request.path}`;
    requests.push(line);
    const answer = await server.handle({ ...request, peer }, signal);
    await afterRequest?.(line, { ask });
    return answer;
  };
  const listening = await listenOn(handle, { port: 0, clock });
  const account = aws === undefined ? undefined : await listenOn(aws.handle, { port: 0, clock });
  const directory = mkdtempSync(join(tmpdir(), 'served-cluster-'));
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(listening.url));
  return {
    ask,
    requests,
    directory,
    flags: ['--kubeconfig', kubeconfig, '--clock', listening.url],
    environment: account === undefined ? {} : environmentFor(account.url),
    store: async (type, ...objects) => {
      for (const object of objects) await time.finish(storeWithStatus(client, type, object));
    },
    close: async () => {
      await listening.close();
      await account?.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const environmentFor = (url: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: testAccessKey.accessKeyId,
  AWS_SECRET_ACCESS_KEY: testAccessKey.secretAccessKey,
  CLUSTER_NAME: 'my-cluster',
});

const kubeconfigOf = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'served',
    clusters: [{ name: 'served', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'served', user: {} }],
    contexts: [{ name: 'served', context: { cluster: 'served', user: 'served' } }],
  });

async function storeWithStatus<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
  object: T,
): Promise<void> {
  const { name, namespace } = object.metadata;
  await client.create(type, object);
  const status: unknown = Reflect.get(object, 'status');
  if (status === undefined) return;
  const key = { name, ...(namespace === undefined ? {} : { namespace }) };
  await client.patch(type, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
}

/** The clock stands: who waits for another instant waits until it goes away. */
async function answerClock(
  { path }: Pick<HttpRequest, 'path'>,
  { at, signal }: { readonly at: string; readonly signal: AbortSignal },
): Promise<HttpResponse> {
  if (path.startsWith('/clock/follow')) await aborted(signal);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify({ now: at, speed: 1, paused: true })),
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
