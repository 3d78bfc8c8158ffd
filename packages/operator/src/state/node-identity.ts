import type { Node, NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import { isManagedNodeClass } from './managed.ts';
import type { Objects } from './objects.ts';

/**
 * Which Node belongs to which NodeClaim.
 *
 * Guarantees: one Node for a claim, and one claim for a Node. A Node that merely carries the provider id of an instance
 * belongs to no claim, whatever labels, annotations and finalizers it has.
 *
 * Assumptions: only operators write `status.nodeName` of a claim. The API server lets a kubelet write its own
 * Node only, and EKS lets it in under the name that EC2 gives to its instance.
 */
type IdentitySources = Pick<Objects, 'nodes' | 'nodeClaims'>;

const providerIdOfNode = ({ spec }: Node): string => spec?.providerID ?? '';
const providerIdOfClaim = ({ status }: NodeClaim): string => status?.providerID ?? '';

/** The Node that the claim was registered with. */
export function findNodeOfClaim({ nodes }: Pick<IdentitySources, 'nodes'>, claim: NodeClaim): Node | undefined {
  const node = nodes.get(claim.status?.nodeName ?? '');
  return node !== undefined && isRegisteredPair(claim, node) ? node : undefined;
}

/** The claim that the Node was registered for; `undefined` when there is none, or more than one. */
export function findClaimOfNode(
  { nodeClaims }: Pick<IdentitySources, 'nodeClaims'>,
  node: Node,
): NodeClaim | undefined {
  const [claim, second] = nodeClaims
    .by('providerId', providerIdOfNode(node))
    .filter((each) => isManagedNodeClass(each.spec.nodeClassRef) && isRegisteredPair(each, node));
  return second === undefined ? claim : undefined;
}

/** The Node that seems to join for a claim that has none yet. Good for estimates only: nothing has proven its identity. */
export function findJoiningNode({ nodes }: Pick<IdentitySources, 'nodes'>, claim: NodeClaim): Node | undefined {
  if ((claim.status?.nodeName ?? '') !== '') return undefined;
  const [node, second] = nodes.by('providerId', providerIdOfClaim(claim));
  return second === undefined ? node : undefined;
}

const isRegisteredPair = (claim: NodeClaim, node: Node): boolean =>
  providerIdOfNode(node) !== '' &&
  providerIdOfNode(node) === providerIdOfClaim(claim) &&
  claim.status?.nodeName === node.metadata.name;

/** Whether EC2 gives the instance the name of this Node: its private DNS name, or its id. */
export const isNamedAfter = ({ metadata, spec }: Node, { id, providerId, privateDnsName }: Instance): boolean =>
  spec?.providerID === providerId && (metadata.name === privateDnsName || metadata.name === id);

/**
 * The one of several Nodes with the provider id of an instance that the instance is. An instance that runs without a
 * private DNS name cannot tell: then it is the only one there is.
 */
export function findNodeOfInstance(nodes: readonly Node[], instance: Instance): Node | undefined {
  const named = nodes.find((node) => isNamedAfter(node, instance));
  const [only, second] = nodes;
  const isNameless = instance.privateDnsName === '' && instance.state === 'running';
  return named ?? (isNameless && second === undefined ? only : undefined);
}
