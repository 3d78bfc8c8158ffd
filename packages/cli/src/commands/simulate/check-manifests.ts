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
import { nearestKey } from '@nodewright/requirements';
import { ApiError, type KubernetesClient, type WriteOptions } from '@nodewright/runtime';
import type { SourcedObject } from './manifest-source.ts';

const batch = (plural: string, kind: string): ResourceType => ({
  group: 'batch',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});

/** Kinds that a simulation reads; it passes over the others of a folder. */
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

/** What an API server makes of manifests: what it would refuse, and what it would leave out; a sentence each, with file and object. */
export type ManifestCheck = { readonly complaints: readonly string[]; readonly remarks: readonly string[] };

/** Lets an API server try to create every object: its refusals tell the field, the value and what would be right. */
export async function checkManifests(
  objects: readonly SourcedObject[],
  client: KubernetesClient,
): Promise<ManifestCheck> {
  const names = new Set(objects.flatMap(({ object }) => object.metadata?.namespace ?? []));
  names.delete('default');
  for (const name of ['default', ...names]) await refusalOf(client.create(namespaces, { metadata: { name } }));
  const complaints: string[] = [];
  const remarks: string[] = [];
  for (const { object, source } of objects) {
    const type = readKinds.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
    const refused = type === undefined ? findUnknownKind(object) : await refusalOf(trialCreate(client, object, type));
    if (refused !== undefined) complaints.push(`${source}: ${printRefusal(refused, object)}`);
    if (refused !== undefined || type === undefined) continue;
    const unknown = unknownFields(await refusalOf(trialCreate(client, object, type, { fieldValidation: 'Strict' })));
    if (unknown.length > 0)
      remarks.push(
        `${source}: ${printKindAndName(object)} has unknown fields, which are left out: ${unknown.join(', ')}`,
      );
  }
  return { complaints, remarks };
}

/** Objects as a server would store them, under their own metadata. A kind that is not read here stays as it is. */
export async function fillManifestDefaults(
  objects: readonly KubernetesObject[],
  client: KubernetesClient,
): Promise<readonly KubernetesObject[]> {
  const filled: KubernetesObject[] = [];
  for (const object of objects) {
    const type = readKinds.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
    const stored = type === undefined ? object : await trialCreate(client, object, type);
    filled.push({ ...stored, apiVersion: object.apiVersion ?? '', kind: object.kind ?? '', metadata: object.metadata });
  }
  return filled;
}

const trialCreate = (
  client: KubernetesClient,
  object: KubernetesObject,
  type: ResourceType,
  options: WriteOptions = {},
): Promise<KubernetesObject> => client.create(type, asNew(object, type), { dryRun: true, ...options });

/** Not every refusal names its object. */
const printRefusal = (refused: string, object: KubernetesObject): string =>
  refused.includes(`"${object.metadata?.name ?? ''}"`) ? refused : `${printKindAndName(object)}: ${refused}`;

const printKindAndName = ({ kind = '', metadata }: KubernetesObject): string =>
  `${kind} ${metadata?.name ?? '(without a name)'}`;

const unknownFields = (refused = ''): readonly string[] =>
  [...refused.matchAll(/unknown field "([^"]+)"/g)].flatMap(([, field]) => field ?? []);

/** Groups whose kinds are all known here: another version, or a kind of nearly the same name, is a mistake. */
const knownGroups = /^(v\d\w*$|apps\/|batch\/|extensions\/|karpenter\.(sh|k8s\.aws)\/)/;

function findUnknownKind({ apiVersion = '', kind = '' }: KubernetesObject): string | undefined {
  if (!knownGroups.test(apiVersion)) return undefined;
  if (kind === 'Provisioner' || kind === 'AWSNodeTemplate')
    return `${kind} is a kind of before v1beta1; nodewright convert -f makes a NodePool and an EC2NodeClass of it`;
  const same = readKinds.find((each) => each.kind === kind);
  if (same !== undefined) return `there is no ${kind} in ${apiVersion}; it is in ${apiVersionOf(same)}`;
  const meant = nearestKey(
    kind,
    readKinds.map((each) => each.kind),
  );
  return meant === undefined ? undefined : `there is no ${kind} in ${apiVersion}; did you mean ${meant}?`;
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
async function refusalOf(attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && [400, 422].includes(error.code)) return error.message;
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
