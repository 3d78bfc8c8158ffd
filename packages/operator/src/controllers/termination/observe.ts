import {
  finalizers,
  fromTimestamp,
  karpenterAnnotations,
  awsLabels,
  type Instant,
  type Node,
  type NodeClaim,
  type Pod,
  type VolumeAttachment,
} from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import type { Objects } from '../../state/objects.ts';
import { volumesUsedBy, volumeFactsOf } from '../../state/volume-facts.ts';
import { isReady } from '../node-claim/initialization.ts';

/** A node on its way out. */
export type LeavingNode = {
  readonly node: Node;
  /** The one claim with its provider id; none when there are none or several. */
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

type Sources = { readonly objects: Objects; readonly instances: InstancePort };

export async function observeLeavingNode(
  { objects, instances }: Sources,
  name: string,
  signal: AbortSignal,
): Promise<LeavingNode | undefined> {
  const node = objects.nodes.get(name);
  if (node === undefined || !isOurs(node) || node.metadata.deletionTimestamp === undefined) return undefined;
  const providerId = node.spec?.providerID ?? '';
  const claims = objects.nodeClaims.by('providerId', providerId);
  const claim = claims.length === 1 ? claims[0] : undefined;
  const pods = objects.pods.by('node', name);
  const isInDoubt = !isReady(node) && providerId !== '';
  return {
    node,
    claim,
    pods,
    attachments: objects.volumeAttachments.by('node', name),
    volumes: volumesUsedBy(pods, volumeFactsOf(objects)),
    isInstanceGone: isInDoubt && (await instances.get(providerId, signal)) === undefined,
    deadline: deadlineOf(claim),
  };
}

/** @throws when the annotation is no instant: draining without the deadline it was meant to set would be worse */
export function deadlineOf(claim: NodeClaim | undefined): Instant | undefined {
  const text = claim?.metadata.annotations?.[karpenterAnnotations.terminationTimestamp];
  if (text === undefined) return undefined;
  const deadline = fromTimestamp(text);
  if (Number.isNaN(deadline)) {
    throw new Error(`${karpenterAnnotations.terminationTimestamp} is ${text}, which is not an RFC 3339 time`);
  }
  return deadline;
}

const isOurs = ({ metadata }: Node): boolean =>
  (metadata.finalizers ?? []).includes(finalizers.termination) &&
  metadata.labels?.[awsLabels.ec2NodeClass] !== undefined;
