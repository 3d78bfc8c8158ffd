import {
  type ConditionUpdate,
  isConditionTrue,
  type Node,
  type NodeClaim,
  readOwn,
  type Taint,
} from '@nodewright/apis';
import { isEphemeralTaint, resourcesOf } from '@nodewright/engine';
import { hasTaint } from '../../state/taints.ts';

/** The first reason why a registered node is not initialized yet; checked in the order of Karpenter. */
export function initializationBlocker(claim: NodeClaim, node: Node): ConditionUpdate | undefined {
  if (!hasReadyCondition(node))
    return initializationBlocked('NodeNotReady', `Node status is NotReady: ${node.metadata.name}`);
  const taints = node.spec?.taints ?? [];
  const startup = taints.find((taint) => hasTaint(claim.spec.startupTaints, taint));
  if (startup !== undefined)
    return initializationBlocked('StartupTaintsExist', `StartupTaint "${printTaint(startup)}" still exists`);
  const ephemeral = taints.find(isEphemeralTaint);
  if (ephemeral !== undefined)
    return initializationBlocked(
      'KnownEphemeralTaintsExist',
      `KnownEphemeralTaint "${printTaint(ephemeral)}" still exists`,
    );
  const missing = unregisteredResource(claim, node);
  return missing === undefined
    ? undefined
    : initializationBlocked('ResourceNotRegistered', `Resource "${missing}" was requested but not registered`);
}

export const hasReadyCondition = (node: Node): boolean => isConditionTrue(node, 'Ready');

function unregisteredResource(claim: NodeClaim, node: Node): string | undefined {
  const allocatable = resourcesOf(node.status?.allocatable);
  const requested = Object.entries(resourcesOf(claim.spec.resources?.requests));
  return requested.find(([name, amount]) => amount > 0 && (readOwn(allocatable, name) ?? 0) === 0)?.[0];
}

const printTaint = ({ key, value, effect }: Taint): string =>
  value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;

const initializationBlocked = (reason: string, message: string): ConditionUpdate => ({
  type: 'Initialized',
  status: 'Unknown',
  reason,
  message,
});
