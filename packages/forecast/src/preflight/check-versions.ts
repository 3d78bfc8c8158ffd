import { karpenterLabels, type Node, nodes, byTextOf } from '@nodewright/apis';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { followingMinor, readMinorNumber } from '../versions/minors.ts';
import type { PreflightFinding } from './preflight-finding.ts';

/** EKS upgrades a control plane by one minor at a time. */
export function checkTargetVersion({ kubernetesVersion: from, clusterName }: Snapshot, to: string): PreflightFinding {
  const about = `cluster ${clusterName}`;
  const [now, then] = [readMinorNumber(from) ?? 0, readMinorNumber(to) ?? 0];
  if (then === now + 1) return { check: 'version', about, verdict: 'ok', says: `goes from ${from} to ${to}` };
  if (then <= now)
    return {
      check: 'version',
      about,
      verdict: 'blocked',
      says: `runs ${from} already`,
      instead: `--kubernetes-version ${followingMinor(from)}`,
    };
  const says = `is ${then - now} minors behind, and an upgrade goes by one`;
  return { check: 'version', about, verdict: 'blocked', says, instead: `upgrade to ${followingMinor(from)} first` };
}

/** A kubelet is never newer than the API server, and at most so many minors older. */
const mostMinorsBehind = 3;
const mostMinorsBehindBefore28 = 2;

/** Nodes that the API server of the new minor would not support, by NodePool or group. */
export function checkKubelets({ kubernetes }: Snapshot, to: string): readonly PreflightFinding[] {
  const target = readMinorNumber(to) ?? 0;
  const most = target < 28 ? mostMinorsBehindBefore28 : mostMinorsBehind;
  const owners = new Map<string, Node[]>();
  for (const node of snapshotObjects(kubernetes, nodes)) {
    const about = `${ownerOfNode(node)} with kubelet ${node.status?.nodeInfo?.['kubeletVersion'] ?? 'unknown'}`;
    owners.set(about, [...(owners.get(about) ?? []), node]);
  }
  return [...owners].toSorted(byTextOf(([about]) => about)).map(([about, own]): PreflightFinding => {
    const minor = readMinorNumber(own[0]?.status?.nodeInfo?.['kubeletVersion'] ?? '') ?? target;
    const count = `${own.length} ${own.length === 1 ? 'node' : 'nodes'}`;
    if (minor <= target && minor >= target - most)
      return { check: 'skew', about, verdict: 'ok', says: `${count} within ${most} minors of ${to}` };
    const says =
      minor > target ? `${count} newer than the API server` : `${count} more than ${most} minors older than ${to}`;
    return { check: 'skew', about, verdict: 'blocked', says, instead: 'replace these nodes before the upgrade' };
  });
}

function ownerOfNode({ metadata: { labels = {}, name } }: Node): string {
  const pool = labels[karpenterLabels.nodePool];
  if (pool !== undefined) return `NodePool ${pool}`;
  const group = labels['eks.amazonaws.com/nodegroup'];
  return group === undefined ? `Node ${name}` : `managed node group ${group}`;
}
