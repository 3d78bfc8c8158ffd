import type { Instant } from '@nodewright/apis';
import type { Cloud } from '@nodewright/ports';
import { readUpgradeInsights } from '@nodewright/provider-aws';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type SnapshotSources, takeSnapshot } from '../snapshot/take-snapshot.ts';
import { noteUnread } from '../snapshot/unread.ts';
import { checkEksInsights, checkWrittenVersions } from './check-api-versions.ts';
import { checkClassImages } from './check-class-images.ts';
import { checkBudgets, checkProtections } from './check-drains.ts';
import { checkManagedGroups } from './check-groups.ts';
import { checkQuotas, checkSubnets } from './check-room.ts';
import { checkKubelets, checkTargetVersion } from './check-versions.ts';
import type { PreflightFinding, PreflightReport } from './preflight-finding.ts';

export type PreflightSources = SnapshotSources & {
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'instanceTypes' | 'controlPlane' | 'managedGroups'>;
  readonly now: Instant;
};

/**
 * What an upgrade of the control plane would meet: versions, images, node groups, API versions, drains and room. It only
 * reads.
 * @param to the minor, `1.30`
 */
export async function preflightUpgrade(
  sources: PreflightSources,
  to: string,
  signal: AbortSignal,
): Promise<PreflightReport> {
  const { client, cloud, now } = sources;
  const snapshot = await takeSnapshot(sources, signal);
  const unread = [...snapshot.unread];
  const orUnread = noteUnread(unread, signal);
  const asked = { cloud, snapshot, now, to };
  const insights = await orUnread('eks:ListInsights', [], () => readUpgradeInsights(sources, to, signal));
  return {
    from: snapshot.kubernetesVersion,
    to,
    findings: [
      checkTargetVersion(snapshot, to),
      ...(await checkClassImages(asked, signal)),
      ...(await checkManagedGroups(asked, signal)),
      ...checkKubelets(snapshot, to),
      ...checkEksInsights(insights),
      ...(await checkWrittenVersions(client, { to, orUnread })),
      ...checkBudgets(snapshot),
      ...checkProtections(snapshot),
      ...checkSubnets(snapshot),
      ...checkQuotas(snapshot, vcpusIn(snapshot)),
    ],
    unread,
  };
}

const vcpusIn = ({ aws }: Snapshot): ((instanceType: string) => number) => {
  const counts = new Map(aws.types.map(({ name, vcpus }) => [name, vcpus]));
  return (instanceType) => counts.get(instanceType) ?? 0;
};

export const isBlocked = ({ verdict }: PreflightFinding): boolean => verdict === 'blocked';
