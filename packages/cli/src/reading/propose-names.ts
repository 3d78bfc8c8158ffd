import {
  byText,
  deployments,
  disruptionPauses,
  ec2NodeClasses,
  nodeClaims,
  nodeGroups,
  nodePools,
  nodeRolloutPolicies,
  nodeRollouts,
  nodes,
  pods,
  type ResourceType,
  seconds,
} from '@nodewright/apis';
import { kubeConfigCluster, type KubernetesClient, kubernetesClient, realTime } from '@nodewright/runtime';
import type { NamedCluster, NamedKind } from './named-kind.ts';

const kindTypes: Readonly<Record<NamedKind, readonly ResourceType[]>> = {
  deployment: [deployments],
  disruptionPause: [disruptionPauses],
  ec2NodeClass: [ec2NodeClasses],
  node: [nodes],
  nodeClaim: [nodeClaims],
  nodeGroup: [nodeGroups],
  nodePool: [nodePools],
  pod: [pods],
  rollout: [nodeRollouts, nodeRolloutPolicies],
};

/** A person waits for the answer: more names, or more time, do not help. */
const mostNames = 500;
const patience = seconds(2);

/**
 * The names of objects in a cluster that go on as a word under way does. None where the cluster cannot be asked: a shell
 * has no place for the reason.
 */
export async function proposeNames(
  cluster: NamedCluster,
  kinds: readonly NamedKind[],
  partial: string,
): Promise<readonly string[]> {
  const { clock, gate } = realTime();
  const ask = async (): Promise<readonly string[]> => {
    const { kubeconfig: file, context } = cluster;
    const { transport } = await kubeConfigCluster({
      ...(file === undefined ? {} : { file }),
      ...(context === undefined ? {} : { context }),
    });
    return listProposedNames(kubernetesClient({ transport, gate, userAgent: 'nodewright' }), kinds, partial);
  };
  try {
    return await Promise.race([ask(), clock.sleep(patience).then(() => [])]);
  } catch {
    return [];
  }
}

/** The names that a client lists. Objects of other namespaces than `default` are proposed once the word names theirs. */
export async function listProposedNames(
  client: KubernetesClient,
  kinds: readonly NamedKind[],
  partial: string,
): Promise<readonly string[]> {
  // In a list with commas, the last one is under way.
  const begun = partial.slice(0, partial.lastIndexOf(',') + 1);
  const word = partial.slice(begun.length);
  const lists = await Promise.all(
    kinds.flatMap((kind) => kindTypes[kind]).map((type) => listNames(client, type, word)),
  );
  const names = new Set(lists.flat().filter((name) => name.startsWith(word)));
  return [...names].toSorted(byText).map((name) => `${begun}${name}`);
}

async function listNames(client: KubernetesClient, type: ResourceType, word: string): Promise<readonly string[]> {
  const slash = word.indexOf('/');
  const namespace = slash === -1 ? 'default' : word.slice(0, slash);
  const prefix = slash === -1 ? '' : `${namespace}/`;
  const { items } = await client.list(type, { limit: mostNames, ...(type.namespaced && { namespace }) });
  return items.map(({ metadata }) => `${prefix}${metadata.name}`);
}
