import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type KubernetesObject,
  type ResourceType,
  apiVersionOf,
  capacityBuffers,
  convertManifest,
  csiNodes,
  daemonSets,
  deployments,
  ec2NodeClasses,
  namespaces,
  nodeClaims,
  nodeOverlays,
  nodePools,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
  storageClasses,
} from '@nodewright/apis';
import {
  kubeConfigTransport,
  kubernetesClient,
  listAll,
  parseNumbered,
  realTime,
  type NumberedObject,
} from '@nodewright/runtime';
import { refuseKubeconfig } from '../../reading/refuse-kubeconfig.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { isFolder } from './problem-source.ts';
import { withoutNulls } from './without-nulls.ts';

/** An object and where it was read: the file, and the document where there are several. */
export type SourcedObject = { readonly object: KubernetesObject; readonly source: string };

const manifestEndings = /\.(ya?ml|json)$/;

/**
 * The objects of manifests: files, folders of them, or `-` for standard input.
 * @throws InputError naming every file that cannot be read, and why
 */
export function readManifests(paths: readonly string[]): readonly SourcedObject[] {
  const problems: string[] = [];
  const objects = paths.flatMap(filesOf).flatMap((path) => {
    const source = path === '-' ? 'standard input' : path;
    try {
      const text = readFileSync(path === '-' ? 0 : path, 'utf8');
      return placeManifests(parseNumbered(text, source), source);
    } catch (error) {
      problems.push(unreadableSource(source, error));
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems.join('\n'));
  return objects;
}

function placeManifests(found: readonly NumberedObject[], source: string): readonly SourcedObject[] {
  const isSole = found.every(({ document }) => document === 1);
  return found.map(({ object, document }) => ({
    object: convertManifest(withoutNulls(object)),
    source: isSole ? source : `${source}: document ${document}`,
  }));
}

function unreadableSource(source: string, error: unknown): string {
  if (!(error instanceof Error)) return `${source}: ${String(error)}`;
  if ('code' in error && error.code === 'ENOENT') return `${source}: there is no such file or folder`;
  return error.message.startsWith(source) ? error.message : `${source}: ${error.message}`;
}

function filesOf(path: string): readonly string[] {
  if (!isFolder(path)) return [path];
  const names = readdirSync(path).filter((name) => manifestEndings.test(name));
  if (names.length === 0) throw new InputError(`${path}: no .yaml, .yml or .json file is in this folder`);
  return names.toSorted().map((name) => join(path, name));
}

/** What there is once all are applied, in their order: of objects of one kind and name the last one written, before those of a cluster. */
export function applyManifests(
  written: readonly KubernetesObject[],
  standing: readonly KubernetesObject[],
): readonly KubernetesObject[] {
  const last = new Map(written.map((object, index) => [identityOfManifest(object) ?? index, object]));
  return [...last.values(), ...standing.filter((object) => !last.has(identityOfManifest(object) ?? -1))];
}

const identityOfManifest = ({ apiVersion = '', kind, metadata }: KubernetesObject): string | undefined =>
  metadata?.name === undefined
    ? undefined
    : `${apiVersion.replace(/\/?[^/]*$/, '')} ${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`;

const observed: readonly ResourceType[] = [
  nodePools,
  ec2NodeClasses,
  nodeOverlays,
  capacityBuffers,
  podTemplates,
  nodeClaims,
  nodes,
  csiNodes,
  pods,
  daemonSets,
  namespaces,
  services,
  replicaSets,
  replicationControllers,
  statefulSets,
  deployments,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
];

/** Kinds that own pods: in a cluster, their pods are there already. */
const ownerKinds: ReadonlySet<string> = new Set(
  [replicaSets, replicationControllers, statefulSets, deployments].map(({ kind }) => kind),
);

/** What a cluster holds that scheduling depends on. A kind that it does not know counts as empty. */
export async function readClusterManifests(kubeconfig?: string): Promise<{
  readonly objects: readonly KubernetesObject[];
  readonly owners: readonly KubernetesObject[];
}> {
  const transport = await kubeConfigTransport(kubeconfig === undefined ? {} : { file: kubeconfig }).catch(
    (failure: unknown) => {
      throw refuseKubeconfig(failure, kubeconfig);
    },
  );
  const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'nodewright' });
  const lists = await Promise.all(
    observed.map(async (type) => {
      const { items } = await listAll(client, type);
      return items.map((item) => ({ ...item, apiVersion: apiVersionOf(type), kind: type.kind }));
    }),
  );
  const all = lists.flat();
  return {
    objects: all.filter(({ kind }) => !ownerKinds.has(kind)),
    owners: all.filter(({ kind }) => ownerKinds.has(kind)),
  };
}
