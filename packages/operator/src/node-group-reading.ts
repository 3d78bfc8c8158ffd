import { type Instant, type NodeGroup, nodeGroups, nodeRolloutPolicies, nodeRollouts } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { listAll, type KubernetesClient } from '@nodewright/runtime';
import { forecastUpdate, type UpdateForecast } from './controllers/node-group/forecast.ts';
import { type NodeStanding, nodeStandings } from './controllers/node-group/node-standings.ts';
import { observeNodeGroup, withQuotas } from './controllers/node-group/observe.ts';
import { readImageRules } from './image-rule-reading.ts';
import { listIfServed } from './objects/list-if-served.ts';
import { createObjects } from './state/objects.ts';

/** One look at a node group, put together as its controller does it. */
export type NodeGroupReading = {
  readonly found: boolean;
  readonly forecast: UpdateForecast;
  readonly nodes: readonly NodeStanding[];
};

export type NodeGroupReadingSources = {
  readonly client: KubernetesClient;
  readonly cloud: Cloud;
  readonly now: Instant;
};

/** Reads the group, its nodes and their pods. Writes nothing; the NodeGroup need not be stored anywhere. */
export async function readNodeGroup(
  { client, cloud, now }: NodeGroupReadingSources,
  nodeGroup: NodeGroup,
  signal: AbortSignal,
  { askQuotas = false }: { readonly askQuotas?: boolean } = {},
): Promise<NodeGroupReading> {
  const objects = createObjects(client);
  for (const node of (await listAll(client, objects.nodes.type)).items) objects.nodes.cache.seen(node);
  for (const pod of (await listAll(client, objects.pods.type)).items) objects.pods.cache.seen(pod);
  const budgets = objects.podDisruptionBudgets;
  for (const rule of await readImageRules(client)) objects.imageRules.cache.seen(rule);
  for (const group of await listIfServed(client, nodeGroups)) objects.nodeGroups.cache.seen(group);
  for (const policy of await listIfServed(client, nodeRolloutPolicies)) objects.rolloutPolicies.cache.seen(policy);
  for (const rollout of await listIfServed(client, nodeRollouts)) objects.rollouts.cache.seen(rollout);
  for (const budget of (await client.list(budgets.type)).items) budgets.cache.seen(budget);
  const first = await observeNodeGroup({ objects, now, ...cloud }, nodeGroup, signal);
  const seen = askQuotas ? await withQuotas(cloud, first, signal) : first;
  const found = nodeGroup.spec.eks === undefined ? seen.scaling !== undefined : seen.managed !== undefined;
  return { found, forecast: forecastUpdate(seen, now), nodes: nodeStandings(seen) };
}
