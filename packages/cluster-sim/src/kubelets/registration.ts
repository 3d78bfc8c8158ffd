import { fromTimestamp, minutes, type Node, nodes, toTimestamp } from '@nodewright/apis';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import { mergeConditions, statusOfCondition } from '../objects/conditions.ts';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import type { BootedMachine } from '@nodewright/aws-endpoints';
import { type ReportedNodeCondition, nodeConditions, nodeOfMachine, type NodeReadiness } from './node-object.ts';
import type { Bootstrap } from './user-data/bootstrap.ts';

type RegistrationDeps = { readonly clock: Clock; readonly client: KubernetesClient };

/**
 * Creates the machine's Node, or takes up the one it made before a restart.
 * @throws when another machine's Node still holds the name; it is worth another try later
 */
export async function registerMachine(
  { clock, client }: RegistrationDeps,
  machine: BootedMachine,
  bootstrap: Bootstrap,
): Promise<Node> {
  const node = nodeOfMachine(machine, bootstrap, toTimestamp(clock.now()));
  const created = await unlessRefusedAs('AlreadyExists', client.create(nodes, node));
  if (created !== undefined) return created;
  const found = await client.get(nodes, { name: node.metadata.name });
  if (found?.spec?.providerID === machine.providerId) return found;
  throw new Error(
    `Node ${node.metadata.name} belongs to ${found?.spec?.providerID ?? 'no instance'}, not to ${machine.providerId}`,
  );
}

/** Reports the node ready, unless it is or is gone. */
export const reportReady = (deps: RegistrationDeps, name: string): Promise<void> => report(deps, name, 'ready');

/** Reports that the node is not ready any more, unless that is told or it is gone. */
export const reportNotReady = (deps: RegistrationDeps, name: string): Promise<void> => report(deps, name, 'notReady');

async function report({ clock, client }: RegistrationDeps, name: string, readiness: NodeReadiness): Promise<void> {
  const node = await client.get(nodes, { name });
  const wanted = readiness === 'ready' ? 'True' : 'False';
  if (node === undefined || statusOfCondition(node.status?.conditions, 'Ready') === wanted) return;
  const at = toTimestamp(clock.now());
  await writeNodeStatus(client, node, mergeConditions(node.status?.conditions, nodeConditions(readiness, at), at));
}

/** What the node monitoring agent of EKS watches beside the kubelet. */
const monitored = [
  'AcceleratedHardwareReady',
  'ContainerRuntimeReady',
  'KernelReady',
  'NetworkingReady',
  'StorageReady',
];

/** After a reboot, conditions that the monitoring agent had found wrong are well again. */
export async function reportRepaired({ clock, client }: RegistrationDeps, name: string): Promise<void> {
  const node = await client.get(nodes, { name });
  const conditions: readonly ReportedNodeCondition[] = node?.status?.conditions ?? [];
  const wrong = conditions.filter(({ type, status }) => monitored.includes(type) && status !== 'True');
  if (node === undefined || wrong.length === 0) return;
  const at = toTimestamp(clock.now());
  const well = wrong.map(({ type }) => ({
    type,
    status: 'True' as const,
    reason: 'Rebooted',
    message: 'the machine was started anew',
  }));
  await writeNodeStatus(client, node, mergeConditions(conditions, well as readonly ReportedNodeCondition[], at));
}

/** A kubelet reports this often though nothing has changed. */
const reportEveryMs = minutes(5);

/**
 * Reports the conditions that the control plane set to Unknown while the node was silent, and repeats all of its
 * conditions from time to time. Conditions of other reporters stay.
 */
export async function stayReady({ clock, client }: RegistrationDeps, name: string): Promise<void> {
  const node = await client.get(nodes, { name });
  const conditions: readonly ReportedNodeCondition[] = node?.status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (node === undefined || ready === undefined) return;
  const at = toTimestamp(clock.now());
  if (ready.status === 'Unknown') {
    await writeNodeStatus(client, node, mergeConditions(conditions, nodeConditions('ready', at), at));
  } else if (clock.now() - fromTimestamp(ready.lastHeartbeatTime ?? at) >= reportEveryMs) {
    await writeNodeStatus(
      client,
      node,
      conditions.map((condition) => ({ ...condition, lastHeartbeatTime: at })),
    );
  }
}

/** A patch replaces the whole list of conditions, so it carries the lock of the node that was read. */
async function writeNodeStatus(
  client: KubernetesClient,
  node: Node,
  conditions: readonly ReportedNodeCondition[],
): Promise<void> {
  const { name, resourceVersion } = node.metadata;
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  const written = client.patch(nodes, { name }, { type: 'merge', patch }, { subresource: 'status' });
  await unlessGone(written);
}
