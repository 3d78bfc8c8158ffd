import {
  finalizers,
  isConditionTrue,
  awsLabels,
  type Instant,
  type Node,
  type NodeClaim,
  type Pod,
  type VolumeAttachment,
} from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import type { Absences } from '../../state/absences.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findClaimOfNode, findNodeOfClaim, isNamedAfter } from '../../state/node-identity.ts';
import { isLeaseRenewed } from '../../state/node-lease.ts';
import type { Objects } from '../../state/objects.ts';
import { volumesUsedBy, volumeFactsOf } from '../../state/volume-facts.ts';
import { terminationDeadlineOf } from '../eviction/draining.ts';

/** A node on its way out. */
export type LeavingNode = {
  readonly node: Node;
  /** The claim that the node was registered for; without it no instance is ended. */
  readonly claim: NodeClaim | undefined;
  readonly pods: readonly Pod[];
  readonly attachments: readonly VolumeAttachment[];
  /** Names of the persistent volumes that pods use; pods without any are not listed. */
  readonly volumes: ReadonlyMap<Pod, readonly string[]>;
  /** Looked up only while the node is not ready. */
  readonly isInstanceGone: boolean;
  /** Nothing waits beyond it. */
  readonly deadline: Instant | undefined;
};

export type LeavingNodeSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly instances: InstancePort;
  readonly now: Instant;
  readonly absences: Absences;
};

export async function observeLeavingNode(
  sources: LeavingNodeSources,
  name: string,
  signal: AbortSignal,
): Promise<LeavingNode | undefined> {
  const { objects } = sources;
  const node = objects.nodes.get(name);
  if (node === undefined || !isOurs(node) || node.metadata.deletionTimestamp === undefined) return undefined;
  const claim = findClaimOfNode(objects, node) ?? (await findHalfRegistered(sources, node, signal));
  const pods = objects.pods.by('node', name);
  return {
    node,
    claim,
    pods,
    attachments: objects.volumeAttachments.by('node', name),
    volumes: volumesUsedBy(pods, volumeFactsOf(objects)),
    isInstanceGone: !isConditionTrue(node, 'Ready') && (await isInstanceGone(sources, node, signal)),
    deadline: terminationDeadlineOf(claim),
  };
}

/** A registration that ended half-way has not stored the name of the node yet: then the instance tells whose it is. */
async function findHalfRegistered(
  { objects, instances }: Pick<LeavingNodeSources, 'objects' | 'instances'>,
  node: Node,
  signal: AbortSignal,
): Promise<NodeClaim | undefined> {
  const providerId = node.spec?.providerID ?? '';
  const [claim, second] = objects.nodeClaims.by('providerId', providerId);
  if (claim === undefined || second !== undefined || !isManagedNodeClass(claim.spec.nodeClassRef)) return undefined;
  if (findNodeOfClaim(objects, claim) !== undefined) return undefined;
  const instance = await instances.get(providerId, signal);
  return instance !== undefined && isNamedAfter(node, instance) ? claim : undefined;
}

/** One look at EC2 that misses the instance may lag: then the node is drained as any other. */
async function isInstanceGone(
  { client, instances, now, absences }: LeavingNodeSources,
  node: Node,
  signal: AbortSignal,
): Promise<boolean> {
  const providerId = node.spec?.providerID ?? '';
  if (providerId === '') return false;
  const presence = await instances.checkPresence(providerId, signal);
  if (presence !== 'unknown') return presence === 'ended';
  const { name } = node.metadata;
  if (await isLeaseRenewed(client, { name, node }, now)) absences.found(providerId);
  else return absences.missed(providerId, now).kind === 'gone';
  return false;
}

const isOurs = ({ metadata }: Node): boolean =>
  (metadata.finalizers ?? []).includes(finalizers.termination) &&
  metadata.labels?.[awsLabels.ec2NodeClass] !== undefined;
