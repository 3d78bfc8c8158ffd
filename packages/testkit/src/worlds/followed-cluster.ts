import { fromTimestamp, instant, karpenterCustomResources, nodewrightCustomResources } from '@nodewright/apis';
import { createApiServer, createDirectClient } from '@nodewright/kube-api';
import { ApiError, type KubernetesClient, seededRandom, virtualTime } from '@nodewright/runtime';

/** What happens in a cluster, by the second: in its middle, between two looks of an observer who looks each second. */
type ClusterScript = Readonly<Record<number, (client: KubernetesClient) => Promise<unknown>>>;

/** An API server on virtual time whose controllers are a script, for commands that wait until something has happened. */
export function aFollowedCluster(script: ClusterScript = {}) {
  const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
  const { clock, gate } = time;
  const begun = clock.now();
  const server = createApiServer({
    clock,
    random: seededRandom('followed'),
    version: '1.28',
    customResources: [...karpenterCustomResources, ...nodewrightCustomResources],
  });
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const client = createDirectClient(server, { gate, name: 'test', user });
  for (const [second, act] of Object.entries(script))
    clock.at(instant(begun + Number(second) * 1_000 - 500), () => void act(client));
  const told: string[] = [];
  const countSeconds = (): number => (clock.now() - begun) / 1_000;
  return {
    client,
    clock,
    begun,
    /** Lines with the second at which each was told. */
    told,
    tell: (line: string): void => void told.push(`${countSeconds()}s ${line}`),
    countSeconds,
    do: <T>(work: Promise<T>): Promise<T> => time.finish(work),
  };
}

/** The same client, whose first reads of single objects fail. */
export function failFirstReads(client: KubernetesClient, times: number, failure: () => Error): KubernetesClient {
  let left = times;
  const get: KubernetesClient['get'] = (type, key) =>
    (left -= 1) >= 0 ? Promise.reject(failure()) : client.get(type, key);
  return new Proxy(client, {
    get: (target, name) => (name === 'get' ? get : (Reflect.get(target, name) as () => unknown).bind(target)),
  });
}

/** An answer of an API server that refuses. */
export const anApiError = (code: number, message: string): ApiError =>
  new ApiError({ kind: 'Status', code, reason: 'Refused', message });
