import {
  byTextOf,
  type Deployment,
  inOrder,
  oncePerObject,
  parseIntOrPercent,
  type ReplicaSet,
  resolveIntOrPercent,
} from '@nodewright/apis';
import { canonicalText } from '../../objects/template-hash.ts';

export const hashLabel = 'pod-template-hash';

/** A Deployment and its ReplicaSets; the current one has the present template. */
export type Rollout = {
  readonly deployment: Deployment;
  readonly current: ReplicaSet | undefined;
  /** The oldest first. */
  readonly old: readonly ReplicaSet[];
  /** Pods of the old ReplicaSets that still exist, including pods that are being deleted. */
  readonly oldPods: number;
  /** Whether the status counts the pods that are being deleted [false]. */
  readonly countsTerminating?: boolean;
};

export type ReplicaScaling = { readonly set: ReplicaSet; readonly to: number };

/** Finds the ReplicaSet of the present template among the ReplicaSets of a Deployment. */
export function sortSets(deployment: Deployment, sets: readonly ReplicaSet[]): Pick<Rollout, 'current' | 'old'> {
  const wanted = templateText(deployment.spec.template);
  const byAge = sets.toSorted(oldestSetFirst);
  const current = byAge.find(({ spec }) => spec.template !== undefined && templateText(spec.template) === wanted);
  return { current, old: byAge.filter((set) => set !== current) };
}

/**
 * What to scale next, and to how many; nothing when the rollout is level or has to wait for pods.
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment
 */
export function nextScalings(rollout: Rollout): readonly ReplicaScaling[] {
  const { deployment, current, old } = rollout;
  if (current === undefined) return [];
  if (deployment.spec.paused === true) return [];
  if (deployment.spec.strategy?.type === 'Recreate') return recreate(rollout, current);
  const grown = scaleUpNew(deployment, current, old);
  return grown.length > 0 ? grown : scaleDownOld(deployment, current, old);
}

/** How many replicas the ReplicaSet of a new template starts with. */
export function firstReplicas({ deployment, old }: Rollout): number {
  const replicas = replicasOf(deployment);
  if (deployment.spec.strategy?.type === 'Recreate')
    return old.every((set) => wantedReplicas(set) === 0) ? replicas : 0;
  return Math.max(0, Math.min(replicas, replicas + maxSurge(deployment) - sumOfCounts(old, wantedReplicas)));
}

export const replicasOf = ({ spec }: Deployment): number => spec.replicas ?? 1;

/** How many pods may be unavailable. At least one when no surge is allowed either, because the rollout could not start. */
export function maxUnavailable(deployment: Deployment): number {
  if (deployment.spec.strategy?.type === 'Recreate') return 0;
  const asked = parseIntOrPercent(deployment.spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%');
  const allowed = resolveIntOrPercent(asked, replicasOf(deployment), 'down');
  return allowed === 0 && maxSurge(deployment) === 0 ? 1 : Math.min(allowed, replicasOf(deployment));
}

function maxSurge(deployment: Deployment): number {
  const asked = parseIntOrPercent(deployment.spec.strategy?.rollingUpdate?.maxSurge ?? '25%');
  return resolveIntOrPercent(asked, replicasOf(deployment), 'up');
}

function recreate({ deployment, old, oldPods }: Rollout, current: ReplicaSet): readonly ReplicaScaling[] {
  const remaining = old.filter((set) => wantedReplicas(set) > 0).map((set) => ({ set, to: 0 }));
  if (remaining.length > 0) return remaining;
  return oldPods === 0 ? scaledTo(current, replicasOf(deployment)) : [];
}

function scaleUpNew(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): readonly ReplicaScaling[] {
  const missing = replicasOf(deployment) - wantedReplicas(current);
  if (missing <= 0) return scaledTo(current, replicasOf(deployment));
  const room = replicasOf(deployment) + maxSurge(deployment) - sumOfCounts([current, ...old], wantedReplicas);
  return room <= 0 ? [] : scaledTo(current, wantedReplicas(current) + Math.min(room, missing));
}

/** Unavailable pods go first, because that costs no availability. Available pods go as far as availability allows. */
function scaleDownOld(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): readonly ReplicaScaling[] {
  const fewestAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const currentUnavailable = wantedReplicas(current) - availableOf(current);
  const most = sumOfCounts([current, ...old], wantedReplicas) - fewestAvailable - currentUnavailable;
  const broken = takeFrom(old, most, (set) => wantedReplicas(set) - availableOf(set));
  const cleaned = old.map((set) => ({ set, wanted: broken.get(set) ?? wantedReplicas(set) }));
  const spare = Math.max(0, sumOfCounts([current, ...old], availableOf) - fewestAvailable);
  const left = Math.min(spare, most - sumOfCounts(cleaned, ({ set, wanted }) => wantedReplicas(set) - wanted));
  return removeWorking(cleaned, left).filter(({ set, to }) => to !== wantedReplicas(set));
}

function takeFrom(
  sets: readonly ReplicaSet[],
  most: number,
  spareOf: (set: ReplicaSet) => number,
): ReadonlyMap<ReplicaSet, number> {
  let left = most;
  const taken = sets.map((set) => {
    const take = Math.max(0, Math.min(left, spareOf(set)));
    left -= take;
    return [set, wantedReplicas(set) - take] as const;
  });
  return new Map(taken);
}

type Cleaned = { readonly set: ReplicaSet; readonly wanted: number };

function removeWorking(cleaned: readonly Cleaned[], most: number): readonly ReplicaScaling[] {
  let left = most;
  return cleaned.map(({ set, wanted }) => {
    const take = Math.max(0, Math.min(left, wanted));
    left -= take;
    return { set, to: wanted - take };
  });
}

const scaledTo = (set: ReplicaSet, to: number): readonly ReplicaScaling[] =>
  wantedReplicas(set) === to ? [] : [{ set, to }];

export const wantedReplicas = ({ spec }: ReplicaSet): number => spec.replicas ?? 1;

export const availableOf = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;

export const sumOfCounts = <T>(items: readonly T[], countOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + countOf(item), 0);

type DeploymentTemplate = Deployment['spec']['template'];

/** The text of a template without the label that the controller adds. */
const templateText = oncePerObject(({ metadata, spec }: DeploymentTemplate): string => {
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {};
  return canonicalText({ labels, annotations: metadata?.annotations ?? {}, spec });
});

const oldestSetFirst = inOrder<ReplicaSet>(
  byTextOf(({ metadata }) => metadata.creationTimestamp ?? ''),
  byTextOf(({ metadata }) => metadata.name),
);
