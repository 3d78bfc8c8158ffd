import { instant, nodes, seconds } from '@nodewright/apis';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import { unlessGone } from '../control-plane/refusals.ts';
import { retryUntilStopped } from '../control-plane/retrying.ts';
import type { BootedMachine } from '@nodewright/aws-endpoints';

type NodeLifecycleDeps = { readonly clock: Clock; readonly client: KubernetesClient; readonly signal: AbortSignal };

/** Long enough that the instance is terminated and watchers have seen its node not ready. */
const forgetAfterMs = seconds(65);

/**
 * Deletes the Node of a machine that is gone, as the cloud controller manager does; finalizers may hold it.
 * A Node with another provider ID stays: another cluster or user may own its machine.
 */
export function forgetNodeLater(deps: NodeLifecycleDeps, machine: BootedMachine): void {
  const { clock, signal } = deps;
  const due = instant(clock.now() + forgetAfterMs);
  clock.at(due, () => void retryUntilStopped(clock, signal, () => forgetNode(deps, machine)));
}

async function forgetNode({ client }: NodeLifecycleDeps, { privateDnsName, providerId }: BootedMachine): Promise<void> {
  const node = await client.get(nodes, { name: privateDnsName });
  if (node?.spec?.providerID !== providerId || node.metadata.deletionTimestamp !== undefined) return;
  const { uid } = node.metadata;
  await unlessGone(client.delete(nodes, { name: privateDnsName }, uid === undefined ? {} : { preconditions: { uid } }));
}
