import {
  isConditionTrue,
  type BatchJob,
  batchJobs,
  karpenterLabels,
  kubernetesLabels,
  type NodeClaim,
  type NodeRollout,
  type NodeRolloutPolicySpec,
  readOwn,
} from '@nodewright/apis';
import { type CheckedMember, checkRolloutLabel, namespaceOfCheck } from '@nodewright/engine';
import { type KubernetesClient, listAll } from '@nodewright/runtime';
import { variantOfClaim } from '../../state/claim-variant.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';

export type ObservedChecks = {
  readonly rollout: NodeRollout;
  readonly spec: NodeRolloutPolicySpec;
  readonly members: readonly CheckedMember[];
  /** The Jobs of its checks, as the API server has them now. */
  readonly jobs: readonly BatchJob[];
  /** By Node: the uids of what its pods belong to, among them the Jobs whose pod got there. */
  readonly ownersOnNodes: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Absent for a rollout that is gone, or whose policy has no checks and had none. */
export async function observeChecks(
  objects: Objects,
  client: KubernetesClient,
  name: string,
): Promise<ObservedChecks | undefined> {
  const rollout = objects.rollouts.get(name);
  const policy = rollout && objects.rolloutPolicies.get(rollout.spec.policy);
  if (rollout === undefined || policy === undefined) return undefined;
  const checks = policy.spec.health?.checks ?? [];
  if (checks.length === 0 && rollout.status?.checks === undefined) return undefined;
  const namespaces = [...new Set(checks.filter(({ job }) => job !== undefined).map(namespaceOfCheck))].toSorted();
  const jobs = await listCheckJobs(client, name, namespaces);
  const members = checkedMembers(objects, name);
  const ownersOnNodes = new Map(members.map(({ node }) => [node, listPodOwners(objects, node)]));
  return { rollout, spec: policy.spec, members, jobs, ownersOnNodes };
}

const listPodOwners = ({ pods }: Objects, node: string): ReadonlySet<string> =>
  new Set(pods.by('node', node).flatMap(({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid)));

function checkedMembers(objects: Objects, rollout: string): readonly CheckedMember[] {
  const own = objects.nodeClaims
    .list()
    .filter((claim) => rolloutOfClaim(claim) === rollout && claim.metadata.deletionTimestamp === undefined);
  return own.flatMap((claim) => checkedMember(objects, claim) ?? []);
}

function checkedMember(objects: Objects, claim: NodeClaim): CheckedMember | undefined {
  const node = findNodeOfClaim(objects, claim);
  const variant = variantOfClaim(objects, claim);
  if (node === undefined || variant === undefined || !isConditionTrue(claim, 'Initialized')) return undefined;
  return {
    name: claim.metadata.name,
    node: node.metadata.name,
    hostname: readOwn(node.metadata.labels, kubernetesLabels.hostname) ?? node.metadata.name,
    nodePool: readOwn(claim.metadata.labels, karpenterLabels.nodePool) ?? '',
    variant,
    image: claim.status?.imageID ?? '',
  };
}

/** Jobs are not watched: they are few, and only asked for while a policy has checks of this kind. */
async function listCheckJobs(
  client: KubernetesClient,
  rollout: string,
  namespaces: readonly string[],
): Promise<readonly BatchJob[]> {
  const found: BatchJob[] = [];
  for (const namespace of namespaces) {
    const selection = { namespace, labelSelector: `${checkRolloutLabel}=${rollout}` };
    found.push(...(await listAll(client, batchJobs, selection)).items);
  }
  return found;
}
