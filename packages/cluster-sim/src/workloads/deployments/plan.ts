import type { Instant, KubernetesObject, ReplicaSet } from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { newReplicaSet, nextRevision, revisionAnnotation, revisionOfReplicaSet } from './replica-set.ts';
import { firstReplicas, nextScalings, type Rollout, wantedReplicas } from './rollout.ts';
import { deploymentStatus, progressDeadline } from './status.ts';

export type DeploymentSnapshot = Rollout & { readonly now: Instant };

export type DeploymentAction =
  | { readonly kind: 'createReplicaSet'; readonly set: ReplicaSet }
  | { readonly kind: 'scaleReplicaSet'; readonly set: ReplicaSet; readonly to: number }
  | { readonly kind: 'deleteReplicaSet'; readonly set: ReplicaSet }
  | { readonly kind: 'numberReplicaSet'; readonly set: ReplicaSet; readonly revision: string }
  | { readonly kind: 'numberDeployment'; readonly revision: string }
  | { readonly kind: 'writeStatus'; readonly status: ReturnType<typeof deploymentStatus> };

/** The next steps of a rollout, the revision numbers, and the status; again when the rollout's deadline passes. */
export function plan(snapshot: DeploymentSnapshot): ControllerPlan<DeploymentAction> {
  return {
    actions: [
      ...createCurrent(snapshot),
      ...nextScalings(snapshot).map(({ set, to }) => ({ kind: 'scaleReplicaSet', set, to }) as const),
      ...listSurplusHistory(snapshot).map((set) => ({ kind: 'deleteReplicaSet', set }) as const),
      ...numberRevisions(snapshot),
      ...reportDeployment(snapshot),
    ],
    recheckAt: progressDeadline(snapshot.deployment),
  };
}

function createCurrent(rollout: Rollout): readonly DeploymentAction[] {
  const { deployment, current, old } = rollout;
  if (current !== undefined || deployment.spec.paused === true) return [];
  return [{ kind: 'createReplicaSet', set: newReplicaSet(deployment, old, firstReplicas(rollout)) }];
}

/** Empty ReplicaSets beyond the history that the Deployment keeps. */
function listSurplusHistory({ deployment, old }: Rollout): readonly ReplicaSet[] {
  const empty = old.filter((set) => wantedReplicas(set) === 0 && (set.status?.replicas ?? 0) === 0);
  return empty.slice(0, Math.max(0, empty.length - (deployment.spec.revisionHistoryLimit ?? 10)));
}

/** The current ReplicaSet has the highest revision, also when its template was current before. */
function numberRevisions({ deployment, current, old }: Rollout): readonly DeploymentAction[] {
  if (current === undefined) return [];
  const revision = String(Math.max(revisionOfReplicaSet(current), nextRevision(old)));
  const isNumbered = ({ metadata }: KubernetesObject): boolean =>
    metadata.annotations?.[revisionAnnotation] === revision;
  return [
    ...(isNumbered(current) ? [] : [{ kind: 'numberReplicaSet', set: current, revision } as const]),
    ...(isNumbered(deployment) ? [] : [{ kind: 'numberDeployment', revision } as const]),
  ];
}

function reportDeployment(snapshot: DeploymentSnapshot): readonly DeploymentAction[] {
  const status = deploymentStatus(snapshot, snapshot.now);
  return differsFromPatch(snapshot.deployment.status, status) ? [{ kind: 'writeStatus', status }] : [];
}
