import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import {
  capacityBuffers,
  convert,
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
import { kubeConfigTransport, kubernetesClient, parseManifests, realTime } from '@nodewright/runtime';
import { InputError } from '../exit-status.ts';
import { isFolder } from './problem-source.ts';
import { withoutNulls } from './without-nulls.ts';

/** An object and the file that it was read from. */
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
      return parseManifests(text, source).map((object) => ({ object: current(withoutNulls(object)), source }));
    } catch (error) {
      problems.push(unreadable(source, error));
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems.join('\n'));
  return objects;
}

function unreadable(source: string, error: unknown): string {
  if (!(error instanceof Error)) return `${source}: ${String(error)}`;
  if ('code' in error && error.code === 'ENOENT') return `${source}: there is no such file or folder`;
  return error.message.startsWith(source) ? error.message : `${source}: ${error.message}`;
}

/** Karpenter's kinds in the version that the scheduler reads. */
const current = (object: KubernetesObject): KubernetesObject =>
  object.apiVersion?.endsWith('/v1beta1') && /^karpenter\.(sh|k8s\.aws)\//.test(object.apiVersion)
    ? convert(object, object.apiVersion.replace('/v1beta1', '/v1'))
    : object;

const filesOf = (path: string): readonly string[] =>
  isFolder(path)
    ? readdirSync(path)
        .filter((name) => manifestEndings.test(name))
        .toSorted()
        .map((name) => join(path, name))
    : [path];

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
const owners: ReadonlySet<string> = new Set(
  [replicaSets, replicationControllers, statefulSets, deployments].map(({ kind }) => kind),
);

/** What a cluster holds that scheduling depends on. A kind that it does not know counts as empty. */
export async function readCluster(kubeconfig?: string): Promise<{
  readonly objects: readonly KubernetesObject[];
  readonly owners: readonly KubernetesObject[];
}> {
  const transport = await kubeConfigTransport(kubeconfig === undefined ? {} : { file: kubeconfig }).catch(
    (failure: Error) => {
      throw new InputError(`--kubeconfig: ${failure.message}`, { cause: failure });
    },
  );
  const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'nodewright' });
  const lists = await Promise.all(
    observed.map(async (type) => {
      const { items } = await client.list(type);
      return items.map((item) => ({ ...item, kind: type.kind }));
    }),
  );
  const all = lists.flat();
  return {
    objects: all.filter(({ kind }) => !owners.has(kind)),
    owners: all.filter(({ kind }) => owners.has(kind)),
  };
}
