import { deployments, instant, type LabelSelector, type NodeClaim, nodeClaims, pods, seconds } from '@nodewright/apis';
import { type Clock, type KubernetesClient, listAll } from '@nodewright/runtime';
import { TimedOutError } from '../../terminal/exit-status.ts';
import { holderAt } from './judge-takeover.ts';
import { observeController, type SeenController } from './observe-takeover.ts';

/** What a Deployment was scaled to before it handed over. */
export const replicasBeforeAnnotation = 'nodewright.dev/replicas-before-takeover';

export type HandOverDeps = {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly tell: (line: string) => void;
};

export type HandedOver = {
  readonly holder: string;
  /** NodeClaims that were there before and are not after. */
  readonly gone: readonly string[];
};

/**
 * Lets one controller end and the other one lead.
 *
 * Guarantees: the one that takes over is there before the other one is scaled to 0. Both want one Lease, so at no moment
 * do two of them act. Every step may be repeated: what is done already is left as it is.
 *
 * Errors: a `TimedOutError` when a step takes too long; what was scaled stays scaled, and another run goes on from there.
 */
export async function handOver(deps: HandOverDeps, from: SeenController, to: SeenController): Promise<HandedOver> {
  const { client, clock, tell } = deps;
  const before = await listClaimNames(client);
  await scaleToFormer(deps, to);
  await waitUntilSeen(deps, `a pod of ${to.key.namespace}/${to.key.name} is ready`, async () => {
    const { deployment } = await observeController(client, to.key);
    return (deployment?.status?.readyReplicas ?? 0) > 0 ? true : undefined;
  });
  await scaleToZero(deps, from);
  const holder = await waitUntilSeen(deps, `${to.key.namespace}/${to.key.name} holds the Lease`, async () => {
    const { lease } = await observeController(client, to.key);
    const identity = holderAt(lease, clock.now());
    return identity !== undefined && (await listPodNames(client, to)).some((name) => identity.startsWith(name))
      ? identity
      : undefined;
  });
  tell(`${holder} holds the Lease ${to.leaseKey.namespace}/${to.leaseKey.name}`);
  const after = new Set(await listClaimNames(client));
  return { holder, gone: before.filter((name) => !after.has(name)) };
}

async function scaleToFormer({ client, tell }: HandOverDeps, { key, deployment }: SeenController): Promise<void> {
  if ((deployment?.spec.replicas ?? 1) > 0) return;
  const replicas = Number(deployment?.metadata.annotations?.[replicasBeforeAnnotation] ?? defaultReplicas);
  tell(`scaling ${key.namespace}/${key.name} to ${replicas}`);
  await client.patch(deployments, key, { type: 'merge', patch: { spec: { replicas } } });
}

const defaultReplicas = 2;

async function scaleToZero({ client, tell }: HandOverDeps, { key, deployment }: SeenController): Promise<void> {
  const replicas = deployment?.spec.replicas ?? 1;
  if (replicas === 0) return;
  tell(`scaling ${key.namespace}/${key.name} from ${replicas} to 0`);
  const metadata = { annotations: { [replicasBeforeAnnotation]: String(replicas) } };
  await client.patch(deployments, key, { type: 'merge', patch: { metadata, spec: { replicas: 0 } } });
}

async function waitUntilSeen<T>(
  { clock, timeoutMs, tell }: HandOverDeps,
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T> {
  tell(`waiting until ${what}`);
  const deadline = instant(clock.now() + timeoutMs);
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (clock.now() >= deadline) throw new TimedOutError(`it did not come true in time that ${what}`);
    await clock.sleep(seconds(1));
  }
}

async function listPodNames(client: KubernetesClient, { key, deployment }: SeenController): Promise<readonly string[]> {
  const labelSelector = printSelector(deployment?.spec.selector ?? {});
  const { items } = await listAll(client, pods, {
    ...(key.namespace !== undefined && { namespace: key.namespace }),
    labelSelector,
  });
  return items.map(({ metadata }) => metadata.name);
}

const printSelector = ({ matchLabels = {} }: LabelSelector): string =>
  Object.entries(matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

const listClaimNames = async (client: KubernetesClient): Promise<readonly string[]> =>
  (await listAll<NodeClaim>(client, nodeClaims)).items.map(({ metadata }) => metadata.name);
