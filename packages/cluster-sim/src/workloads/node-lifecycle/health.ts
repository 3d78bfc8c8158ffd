import { type Condition, fromTimestamp, instant, type Instant, type Lease, type Node, seconds } from '@nodewright/apis';
import { renewsEverySeconds } from '../../kubelets/lease-object.ts';

/** The conditions of a node become Unknown when its last heartbeat is older than this. */
const nodeMonitorGraceMs = seconds(40);

/**
 * When a node counts as silent unless another heartbeat comes; never while its lease says that it is
 * renewed without writes. Strictly after the grace period, because timestamps of the API are whole seconds.
 */
export function silentFrom(node: Node, lease: Lease | undefined): Instant | undefined {
  if (lease?.metadata.annotations?.[renewsEverySeconds] !== undefined) return undefined;
  const heard = lease?.spec?.renewTime ?? readyOf(node)?.lastHeartbeatTime ?? node.metadata.creationTimestamp;
  return heard === undefined ? undefined : instant(fromTimestamp(heard) + nodeMonitorGraceMs + 1);
}

type HealthCondition = Condition & { readonly lastHeartbeatTime?: string };

export const readyOf = ({ status }: Node): HealthCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

const reportedConditionTypes = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];

/** The conditions of a silent node. */
export function unknownConditions({ status }: Node): readonly HealthCondition[] {
  const silent = {
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  } as const;
  const never = {
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
  } as const;
  return reportedConditionTypes.map((type) => {
    const known = status?.conditions?.find((condition) => condition.type === type);
    return known === undefined ? { type, ...never } : { ...known, ...silent };
  });
}
