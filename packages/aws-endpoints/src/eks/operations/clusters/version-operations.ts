import type {
  CancelUpdateRequest,
  CancelUpdateResponse,
  UpdateClusterVersionRequest,
  UpdateClusterVersionResponse,
} from '@aws-sdk/client-eks';
import { instant, minutes } from '@nodewright/apis';
import { AwsError } from '../../../codec/aws-error.ts';
import { inUse, invalidParameter, invalidRequest, updateRunning } from '../../errors.ts';
import { blockingInsight } from '../insights/findings.ts';
import type { Eks } from '../../model.ts';
import { listClusterGroups } from '../nodegroups/groups-of.ts';
import { clusterVersions, isNextVersion, platformOf, supportOf } from '../../versions.ts';
import { laggingGroups } from '../version-skew.ts';
import type { EksCluster, ClusterUpdate } from '../../clusters/cluster.ts';
import { clusterUpdateOnTheWire } from './on-the-wire.ts';
import { rollbackTarget } from '../../clusters/rollback.ts';

/** How long the nodes of an Auto Mode cluster take to move back, which they do first. */
const nodesMoveMs = minutes(30);

/** One minor up; or one down, within seven days of the upgrade from there. */
export function updateClusterVersion(eks: Eks, request: UpdateClusterVersionRequest): UpdateClusterVersionResponse {
  const { clusters } = eks;
  const cluster = clusters.cluster(request.name ?? '');
  const id = clusters.once(request.clientRequestToken, request, () => {
    const version = request.version ?? '';
    checkState(eks, cluster, version);
    const isBack = isNextVersion(version, cluster.version);
    if (isBack) checkWayBack(eks, cluster, request);
    else checkWayForward(eks, cluster, version);
    if (request.force !== true) checkInsights(eks, cluster, isBack);
    const begun = { ...asked(version), type: isBack ? ('VersionRollback' as const) : ('VersionUpdate' as const) };
    const first = isBack && cluster.autoMode ? { nodesUntil: instant(clusters.now() + nodesMoveMs) } : {};
    return clusters.begin(cluster.name, { ...begun, ...first }).id;
  });
  return { update: clusterUpdateOnTheWire(clusters.update(cluster.name, id)) };
}

const asked = (version: string): Pick<ClusterUpdate, 'params' | 'change'> => ({
  params: [
    { type: 'Version', value: version },
    { type: 'PlatformVersion', value: platformOf(version) },
  ],
  change: { version },
});

function checkState({ clusters }: Eks, cluster: EksCluster, version: string): void {
  const { name } = cluster;
  const running = clusters.running(name);
  if (running !== undefined) throw updateRunning(name, running.id);
  if (cluster.stage !== 'ACTIVE') throw inUse({ clusterName: name }, `Cluster ${name} is ${cluster.stage}`);
  if (version !== cluster.version) return;
  const message = `Cluster is already at the desired configuration with version: ${version}`;
  throw invalidParameter({ clusterName: name }, message);
}

function checkWayForward(eks: Eks, { name, version: from }: EksCluster, to: string): void {
  const place = { clusterName: name };
  if (!isNextVersion(from, to)) {
    throw invalidParameter(place, `Unsupported Kubernetes minor version update from ${from} to ${to}`);
  }
  const lagging = laggingGroups(eks, name, to);
  if (lagging.length === 0) return;
  const names = lagging.map((group) => `${group.name} (${group.version})`).join(', ');
  throw invalidParameter(
    place,
    `Nodegroups ${names} must be updated to match cluster version ${from} before updating cluster version`,
  );
}

function checkWayBack(
  eks: Eks,
  cluster: EksCluster,
  { version: to = '', rollbackConfig }: UpdateClusterVersionRequest,
) {
  const { name, upgraded, version: from, supportType } = cluster;
  const place = { clusterName: name };
  const now = eks.clusters.now();
  if (rollbackTarget(cluster, now) !== to) {
    const because = upgraded?.from === to ? 'its upgrade was more than seven days ago' : `it never was at ${to}`;
    const message = `Unsupported Kubernetes minor version update from ${from} to ${to}: the cluster cannot roll back, ${because}`;
    throw invalidParameter(place, message);
  }
  const target = clusterVersions.find((each) => each.version === to);
  if (
    target !== undefined &&
    supportOf(target, now).versionStatus !== 'STANDARD_SUPPORT' &&
    supportType !== 'EXTENDED'
  ) {
    throw invalidParameter(
      place,
      `Version ${to} is in extended support; set upgradePolicy.supportType to EXTENDED first`,
    );
  }
  const minutes = rollbackConfig?.timeoutMinutes ?? 720;
  if (minutes < 120 || minutes > 10_080) {
    throw invalidParameter(place, `rollbackConfig.timeoutMinutes is ${minutes}, must be from 120 to 10080`);
  }
  const ahead = listClusterGroups(eks, name).filter(({ version }) => version !== to);
  if (ahead.length === 0) return;
  const names = ahead.map((group) => `${group.name} (${group.version})`).join(', ');
  throw invalidParameter(place, `Nodegroups ${names} must be updated to version ${to} before the cluster rolls back`);
}

function checkInsights(eks: Eks, { name }: EksCluster, isBack: boolean): void {
  const finding = blockingInsight(eks, name, isBack ? 'ROLLBACK_READINESS' : 'UPGRADE_READINESS');
  if (finding === undefined) return;
  const message = `Insight "${finding.name}" is in error: ${finding.insightStatus?.reason} Use --force to go on all the same.`;
  throw new AwsError('InvalidStateException', message, { details: { clusterName: name } });
}

/** Only a rollback can be stopped, while nodes still move. */
export function cancelClusterUpdate(eks: Eks, request: CancelUpdateRequest): CancelUpdateResponse {
  const { clusters } = eks;
  const { name } = clusters.cluster(request.name ?? '');
  const place = { clusterName: name };
  const nodeGroups = eks.groupsOf(name);
  if (nodeGroups.all().some((group) => nodeGroups.updatesOf(group.name).some(({ id }) => id === request.updateId))) {
    throw invalidRequest(place, `Update ${request.updateId} is one of a node group, which cannot be cancelled`);
  }
  const update = clusters.update(name, request.updateId ?? '');
  if (update.nodesUntil === undefined || update.status !== 'InProgress' || clusters.now() >= update.nodesUntil) {
    const because = `it is a ${update.type} that is ${update.status}`;
    const rule = 'only a VersionRollback of an Auto Mode cluster can, while its nodes move';
    throw invalidRequest(place, `Update ${update.id} cannot be cancelled, ${because}: ${rule}`);
  }
  const cancellation = { status: 'Successful' as const, reason: 'The update was cancelled by a request.' };
  const cancelled = { ...update, status: 'Cancelled' as const, cancellation };
  clusters.keepUpdate(cancelled);
  return { update: clusterUpdateOnTheWire(cancelled) };
}
