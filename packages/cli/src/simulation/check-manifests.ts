import {
  apiVersionOf,
  capacityBuffers,
  daemonSets,
  deployments,
  ec2NodeClasses,
  type KubernetesObject,
  namespaces,
  nodeOverlays,
  nodePools,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  podTemplates,
  replicaSets,
  replicationControllers,
  type ResourceType,
  services,
  statefulSets,
  storageClasses,
} from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import type { SourcedObject } from './manifest-source.ts';

const batch = (plural: string, kind: string): ResourceType => ({
  group: 'batch',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});

/** Kinds that a simulation reads; the others of a folder are nobody's business here. */
const readKinds: readonly ResourceType[] = [
  nodePools,
  ec2NodeClasses,
  nodeOverlays,
  capacityBuffers,
  podTemplates,
  pods,
  deployments,
  replicaSets,
  statefulSets,
  replicationControllers,
  daemonSets,
  batch('jobs', 'Job'),
  batch('cronjobs', 'CronJob'),
  nodes,
  namespaces,
  services,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  podDisruptionBudgets,
];

/** Lets an API server try to create every object, and gathers its refusals: file, object, field and what would be right. */
export async function complaintsAbout(
  objects: readonly SourcedObject[],
  client: KubernetesClient,
): Promise<readonly string[]> {
  const names = new Set(objects.flatMap(({ object }) => object.metadata?.namespace ?? []));
  names.delete('default');
  for (const name of ['default', ...names]) await refusal(client.create(namespaces, { metadata: { name } }));
  const complaints: string[] = [];
  for (const { object, source } of objects) {
    const type = readKinds.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
    if (type === undefined) continue;
    const refused = await refusal(client.create(type, asNew(object, type), { dryRun: true }));
    if (refused !== undefined) complaints.push(`${source}: ${refused}`);
  }
  return complaints;
}

/** As it would be written for the first time: what a server adds is taken off. */
function asNew(
  { metadata, ...object }: KubernetesObject & { readonly status?: unknown },
  { namespaced }: ResourceType,
): KubernetesObject {
  const { status: _, ...rest } = object;
  const { uid: _uid, resourceVersion: _rv, generation: _g, creationTimestamp: _c, ...said } = metadata ?? { name: '' };
  const { deletionTimestamp: _d, ownerReferences: _o, finalizers: _f, ...own } = said;
  return { ...rest, metadata: namespaced ? { namespace: 'default', ...own } : own };
}

/** Only what is wrong with the object itself counts, not what its surroundings lack. */
async function refusal(attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && [400, 422].includes(error.code)) return error.message;
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
