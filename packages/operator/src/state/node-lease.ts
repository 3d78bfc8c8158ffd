import { conditionOf, fromTimestamp, leases, type Instant, type Lease, type Node, seconds } from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';

const leaseNamespace = 'kube-node-lease';
const usualDurationSeconds = 40;

/**
 * Whether the kubelet of a node renews its Lease. A Lease that was not renewed lately still counts until the control
 * plane sees it so, too: then the node is of unknown readiness. Asked when in doubt only: no Lease is watched.
 */
export async function isLeaseRenewed(
  client: KubernetesClient,
  { name, node }: { readonly name: string; readonly node: Node | undefined },
  now: Instant,
): Promise<boolean> {
  const lease = name === '' ? undefined : await readLease(client, name);
  if (lease === undefined) return false;
  return lease === 'forbidden' ? isHeardOf(node) : isFreshLease(lease, now) || isHeardOf(node);
}

/** When a kubelet renewed its Lease last; absent where there is no Lease, or none that may be read. */
export async function readLeaseRenewal(client: KubernetesClient, name: string): Promise<Instant | undefined> {
  const lease = await readLease(client, name);
  const renewTime = lease === undefined || lease === 'forbidden' ? undefined : lease.spec?.renewTime;
  return renewTime === undefined ? undefined : fromTimestamp(renewTime);
}

/** Roles made for Karpenter do not allow to read the Leases of nodes. */
async function readLease(client: KubernetesClient, name: string): Promise<Lease | undefined | 'forbidden'> {
  try {
    return await client.get(leases, { name, namespace: leaseNamespace });
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return 'forbidden';
    throw error;
  }
}

function isFreshLease({ spec }: Lease, now: Instant): boolean {
  const { renewTime, leaseDurationSeconds = usualDurationSeconds } = spec ?? {};
  return renewTime !== undefined && now <= fromTimestamp(renewTime) + seconds(leaseDurationSeconds);
}

const isHeardOf = (node: Node | undefined): boolean => {
  const ready = node && conditionOf(node, 'Ready');
  return ready !== undefined && ready.status !== 'Unknown';
};
