import { type Condition, type Node, parseQuantity, readOwn, type ResourceList } from '@nodewright/apis';
import { mergeConditions } from '../objects/conditions.ts';
import { canonicalText } from '../objects/template-hash.ts';

type NodeStatus = NonNullable<Node['status']>;

/**
 * The members of a node's status that another client wrote differently from what its kubelet tells; `undefined` when there
 * are none. Conditions and resources that are not the kubelet's stay with their writers.
 * @param own what the kubelet tells
 */
export function restoredNodeStatus({ status = {} }: Node, own: NodeStatus, at: string): NodeStatus | undefined {
  const restored: NodeStatus = {
    ...(conditionsDiffer(status, own) && { conditions: mergeConditions(status.conditions, own.conditions ?? [], at) }),
    ...(amountsDiffer(status.capacity, own.capacity) && { capacity: own.capacity }),
    ...(amountsDiffer(status.allocatable, own.allocatable) && { allocatable: own.allocatable }),
    ...(isOtherMember(status.addresses, own.addresses) && { addresses: own.addresses }),
    ...(isOtherMember(status.nodeInfo, own.nodeInfo) && { nodeInfo: own.nodeInfo }),
  };
  return Object.keys(restored).length === 0 ? undefined : restored;
}

const conditionsDiffer = (status: NodeStatus, own: NodeStatus): boolean => {
  const isTold = ({ type, status: value }: Condition): boolean =>
    status.conditions?.some((condition) => condition.type === type && condition.status === value) ?? false;
  return !(own.conditions ?? []).every(isTold);
};

const amountsDiffer = (found: ResourceList | undefined, own: ResourceList = {}): own is ResourceList =>
  Object.entries(own).some(([name, amount]) => {
    const told = readOwn(found, name);
    return told !== amount && (told === undefined || parseQuantity(told).nanos !== parseQuantity(amount).nanos);
  });

const isOtherMember = <T>(found: T, own: T | undefined): own is T =>
  own !== undefined && canonicalText(found) !== canonicalText(own);
