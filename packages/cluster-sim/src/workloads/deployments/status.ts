import { type Condition, type Deployment, fromTimestamp, instant, type Instant, toTimestamp } from '@nodewright/apis';
import { mergeConditions } from '../../objects/conditions.ts';
import { withoutZeros } from '../../objects/status-patch.ts';
import { availableOf, maxUnavailable, replicasOf, type Rollout, sumOfCounts, wantedReplicas } from './rollout.ts';

type DeploymentCondition = Condition & { readonly lastUpdateTime?: string };
type ConditionChange = Omit<DeploymentCondition, 'type' | 'lastUpdateTime'>;

/** The fields of a Deployment's status as a merge patch. */
export function deploymentStatus(
  rollout: Rollout,
  now: Instant,
): Readonly<Record<string, unknown>> & {
  readonly conditions: readonly Condition[];
} {
  const counts = countReplicas(rollout);
  return {
    ...withoutZeros({ ...counts, observedGeneration: rollout.deployment.metadata.generation ?? 0 }),
    ...(rollout.countsTerminating === true && { terminatingReplicas: countTerminating(rollout) }),
    conditions: conditionsOfRollout(rollout, counts, now),
  };
}

/** When a rollout that stands still is given up; none when it does not stand still. */
export function progressDeadline({ metadata, spec, status }: Deployment): Instant | undefined {
  const progressing = conditionsBefore(status)?.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'NewReplicaSetAvailable' || progressing?.reason === 'ProgressDeadlineExceeded')
    return undefined;
  const since = progressing?.lastUpdateTime ?? metadata.creationTimestamp;
  if (since === undefined || spec.paused === true) return undefined;
  return instant(fromTimestamp(since) + (spec.progressDeadlineSeconds ?? 600) * 1000);
}

const conditionsBefore = (status: Deployment['status']): readonly DeploymentCondition[] | undefined =>
  status?.conditions;

type ReplicaCounts = {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
};

function countReplicas({ current, old }: Rollout): ReplicaCounts {
  const sets = current === undefined ? old : [current, ...old];
  const availableReplicas = sumOfCounts(sets, availableOf);
  return {
    replicas: sumOfCounts(sets, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sumOfCounts(sets, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas,
    unavailableReplicas: Math.max(0, sumOfCounts(sets, wantedReplicas) - availableReplicas),
  };
}

/** The pods that are being deleted, of all sets; null while one of them does not tell. */
function countTerminating({ current, old }: Rollout): number | null {
  const sets = (current === undefined ? old : [current, ...old]).filter(({ status }) => status !== undefined);
  if (sets.some(({ status }) => status?.terminatingReplicas === undefined)) return null;
  return sumOfCounts(sets, ({ status }) => status?.terminatingReplicas ?? 0);
}

function conditionsOfRollout(rollout: Rollout, counts: ReplicaCounts, now: Instant): readonly Condition[] {
  const { deployment } = rollout;
  const at = toTimestamp(now);
  const known = conditionsBefore(deployment.status);
  const changes = [
    { type: 'Available', ...availability(deployment, counts) },
    { type: 'Progressing', ...progress(rollout, counts, now) },
    ...failureOfSet(rollout),
  ].map((change): DeploymentCondition => {
    const before = known?.find(({ type }) => type === change.type);
    const hasMoved = change.type === 'Progressing' && moved(deployment, counts);
    const isSame = before?.status === change.status && before.reason === change.reason && !hasMoved;
    return { ...change, lastUpdateTime: isSame ? (before.lastUpdateTime ?? at) : at };
  });
  const gone = failureOfSet(rollout).length === 0 ? failureOfReplicas : undefined;
  return mergeConditions(known, changes, at).filter(({ type }) => type !== gone);
}

const failureOfReplicas = 'ReplicaFailure';

/** What keeps the current set from making its pods. */
const failureOfSet = ({ current }: Rollout): readonly Condition[] =>
  (current?.status?.conditions ?? []).filter(({ type }) => type === failureOfReplicas);

function availability(deployment: Deployment, { availableReplicas }: ReplicaCounts): ConditionChange {
  return availableReplicas >= replicasOf(deployment) - maxUnavailable(deployment)
    ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

function progress({ deployment, current }: Rollout, counts: ReplicaCounts, now: Instant): ConditionChange {
  const name = current?.metadata.name ?? '';
  if (isCompleteRollout(deployment, counts)) {
    return {
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: `ReplicaSet "${name}" has successfully progressed.`,
    };
  }
  const deadline = progressDeadline(deployment);
  const known = deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  const gaveUp = known?.reason === 'ProgressDeadlineExceeded' || (deadline !== undefined && deadline <= now);
  if (gaveUp && !moved(deployment, counts)) {
    return {
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: `ReplicaSet "${name}" has timed out progressing.`,
    };
  }
  return known === undefined
    ? { status: 'True', reason: 'NewReplicaSetCreated', message: `Created new replica set "${name}"` }
    : { status: 'True', reason: 'ReplicaSetUpdated', message: `ReplicaSet "${name}" is progressing.` };
}

function isCompleteRollout(
  deployment: Deployment,
  { replicas, updatedReplicas, availableReplicas }: ReplicaCounts,
): boolean {
  const wanted = replicasOf(deployment);
  return updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
}

/** Has anything got better since the status was written? */
function moved({ status }: Deployment, counts: ReplicaCounts): boolean {
  return (
    counts.updatedReplicas > (status?.updatedReplicas ?? 0) ||
    counts.readyReplicas > (status?.readyReplicas ?? 0) ||
    counts.availableReplicas > (status?.availableReplicas ?? 0)
  );
}
