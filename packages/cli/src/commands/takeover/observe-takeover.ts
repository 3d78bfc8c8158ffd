import {
  type DefinitionObject,
  definitionObjects,
  type Deployment,
  deployments,
  type EC2NodeClass,
  ec2NodeClasses,
  type Instant,
  type KubernetesObject,
  type Lease,
  leases,
  type NodeClaim,
  nodeClaims,
  type NodePool,
  nodePools,
  type ResourceType,
} from '@nodewright/apis';
import { type KubernetesClient, listAll, type ObjectKey } from '@nodewright/runtime';

/** One of the two controllers: its Deployment, and the Lease that it wants. */
export type SeenController = {
  readonly key: ObjectKey;
  readonly deployment: Deployment | undefined;
  /** Variables of its first container with their texts; those from other objects have none. */
  readonly environment: ReadonlyMap<string, string | undefined>;
  readonly leaseKey: ObjectKey;
  readonly lease: Lease | undefined;
};

export type TakeoverSnapshot = {
  readonly karpenter: SeenController;
  readonly nodewright: SeenController;
  readonly definitions: readonly DefinitionObject[];
  readonly pools: readonly NodePool[];
  readonly classes: readonly EC2NodeClass[];
  readonly claims: readonly NodeClaim[];
  readonly now: Instant;
};

type WithEnvironment = { readonly env?: readonly { readonly name: string; readonly value?: string }[] };

export const takenOverKinds = ['nodepools.karpenter.sh', 'nodeclaims.karpenter.sh', 'ec2nodeclasses.karpenter.k8s.aws'];

/** Reads everything once. A Deployment that is not there is a finding, not an error. */
export async function observeTakeover(
  client: KubernetesClient,
  names: { readonly karpenter: string; readonly nodewright: string },
  now: Instant,
): Promise<TakeoverSnapshot> {
  const [karpenter, nodewright] = [
    await observeController(client, parseDeploymentKey(names.karpenter)),
    await observeController(client, parseDeploymentKey(names.nodewright)),
  ];
  const definitions: DefinitionObject[] = [];
  for (const name of takenOverKinds) {
    const found = await client.get(definitionObjects, { name });
    if (found !== undefined) definitions.push(found);
  }
  const areThere = definitions.length === takenOverKinds.length;
  const list = async <T extends KubernetesObject>(type: ResourceType<T>): Promise<readonly T[]> =>
    areThere ? (await listAll(client, type)).items : [];
  return {
    karpenter,
    nodewright,
    definitions,
    pools: await list(nodePools),
    classes: await list(ec2NodeClasses),
    claims: await list(nodeClaims),
    now,
  };
}

export function parseDeploymentKey(text: string): ObjectKey {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

export async function observeController(client: KubernetesClient, key: ObjectKey): Promise<SeenController> {
  const deployment = await client.get(deployments, key);
  const [container] = (deployment?.spec.template.spec.containers ?? []) as readonly WithEnvironment[];
  const environment = new Map((container?.env ?? []).map(({ name, value }) => [name, value] as const));
  const leaseKey = {
    name: environment.get('LEADER_ELECTION_NAME') || 'karpenter-leader-election',
    namespace: environment.get('LEADER_ELECTION_NAMESPACE') || key.namespace || '',
  };
  return { key, deployment, environment, leaseKey, lease: await client.get(leases, leaseKey) };
}
