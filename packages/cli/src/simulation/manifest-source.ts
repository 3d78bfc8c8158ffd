import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { convert, daemonSets, ec2NodeClasses, namespaces, nodeClaims, nodePools, nodes, pods } from '@nodewright/apis';
import { kubeConfigTransport, kubernetesClient, parseManifests, realTime } from '@nodewright/runtime';
import { InputError } from '../exit-status.ts';
import { isFolder } from './problem-source.ts';

const manifestEndings = /\.(ya?ml|json)$/;

/**
 * The objects of manifests: files, folders of them, or `-` for standard input.
 * @throws InputError naming the file that cannot be read
 */
export function readManifests(paths: readonly string[]): readonly KubernetesObject[] {
  return paths.flatMap(filesOf).flatMap((path) => {
    try {
      const text = readFileSync(path === '-' ? 0 : path, 'utf8');
      return parseManifests(text, path === '-' ? 'standard input' : path).map(current);
    } catch (error) {
      throw new InputError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  });
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

const observed: readonly ResourceType[] = [nodePools, ec2NodeClasses, nodeClaims, nodes, pods, daemonSets, namespaces];

/** What a cluster holds that scheduling depends on. A kind that it does not know counts as empty. */
export async function readCluster(kubeconfig?: string): Promise<readonly KubernetesObject[]> {
  const transport = await kubeConfigTransport(kubeconfig === undefined ? {} : { file: kubeconfig });
  const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'nodewright' });
  const lists = await Promise.all(
    observed.map(async (type) => {
      const { items } = await client.list(type);
      return items.map((item) => ({ ...item, kind: type.kind }));
    }),
  );
  return lists.flat();
}
