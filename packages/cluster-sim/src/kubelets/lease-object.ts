import { instant, type Instant, type Lease, seconds, toMicroTimestamp } from '@nodewright/apis';

export const leaseNamespace = 'kube-node-lease';
export const renewPeriodMs = seconds(10);
const leaseDurationSeconds = 40;

/**
 * The annotation of a lease that its holder renews every so many seconds since `spec.renewTime`. It replaces one write
 * per beat, which would be 8,640 writes a day for each node.
 */
export const renewsEverySeconds = 'sandbox.nodewright.dev/renews-every-seconds';

export type NodeIdentity = { readonly name: string; readonly uid: string };

/** The lease of a node whose kubelet starts to renew it at `from`. */
export function leaseOf(node: NodeIdentity, from: Instant): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: node.name,
      namespace: leaseNamespace,
      annotations: { [renewsEverySeconds]: String(renewPeriodMs / 1000) },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid }],
    },
    spec: { holderIdentity: node.name, leaseDurationSeconds, renewTime: toMicroTimestamp(from) },
  };
}

/** The last beat not after `now` of a heart that beats since `from`. */
export const lastRenewal = (from: Instant, now: Instant): Instant =>
  instant(from + Math.floor((now - from) / renewPeriodMs) * renewPeriodMs);
