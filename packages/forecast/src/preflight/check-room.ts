import type { Snapshot } from '../snapshot/snapshot.ts';
import type { PreflightFinding } from './preflight-finding.ts';

/** EKS needs so many free addresses in the subnets of a cluster for an upgrade of its control plane. */
const addressesForUpgrade = 5;

/** Free addresses for the control plane, and for at least one node in each subnet that nodes are in. */
export function checkSubnets({ aws }: Snapshot): readonly PreflightFinding[] {
  const ofCluster = aws.subnets.filter(({ id }) => (aws.cluster?.subnetIds ?? []).includes(id));
  const free = ofCluster.reduce((sum, { freeAddresses }) => sum + freeAddresses, 0);
  const about = 'subnets of the control plane';
  const controlPlane: PreflightFinding =
    free >= addressesForUpgrade
      ? { check: 'subnet', about, verdict: 'ok', says: `have ${free} free addresses` }
      : {
          check: 'subnet',
          about,
          verdict: 'blocked',
          says: `have ${free} free addresses, and the upgrade takes up to ${addressesForUpgrade}`,
          instead: 'free some, or add a subnet of the same zones to the cluster',
        };
  const used = new Set(aws.instances.flatMap(({ subnetId, state }) => (state === 'running' ? (subnetId ?? []) : [])));
  const full = aws.subnets.filter(({ id, freeAddresses }) => used.has(id) && freeAddresses < usualAddressesOfNode);
  return [
    ...(ofCluster.length === 0 ? [] : [controlPlane]),
    ...full.map(({ id, zone, freeAddresses }): PreflightFinding => ({
      check: 'subnet',
      about: `subnet ${id} in ${zone}`,
      verdict: 'attention',
      says: `has ${freeAddresses} free addresses: not every replacement fits beside the nodes that it replaces`,
      instead: 'let the selector of the EC2NodeClass find further subnets',
    })),
  ];
}

/** What a node of a usual size takes at once. */
const usualAddressesOfNode = 10;

/** Room for one more of the largest nodes below each limit on vCPUs. */
export function checkQuotas({ aws }: Snapshot, vcpusOf: (instanceType: string) => number): readonly PreflightFinding[] {
  return aws.quotas.map(({ name, market, limit }): PreflightFinding => {
    const counted = aws.instances.filter(
      ({ capacityType, state }) =>
        (state === 'running' || state === 'pending') && (capacityType === 'spot') === (market === 'spot'),
    );
    const used = counted.reduce((sum, { instanceType }) => sum + vcpusOf(instanceType), 0);
    const largest = Math.max(0, ...counted.map(({ instanceType }) => vcpusOf(instanceType)));
    const about = `quota ${name}`;
    const says = `${limit} vCPUs, of which nodes of this cluster use ${used}`;
    if (limit - used >= largest) return { check: 'quota', about, verdict: 'ok', says };
    const instead = 'ask for a higher quota, or for order: TerminateFirst in the pace of a NodeRolloutPolicy';
    return { check: 'quota', about, verdict: 'blocked', says: `${says}: no replacement fits`, instead };
  });
}
