import { parseIntOrPercent, resolveIntOrPercent, type Deployment, type ReplicaSet } from '@nodewright/apis';
import { compareText } from '../../control-plane/object-key.ts';
import { canonicalText } from '../template-hash.ts';

export const hashLabel = 'pod-template-hash';

/** A Deployment and the ReplicaSets it has made, one of which may be the one it wants. */
export type Rollout = {
  readonly deployment: Deployment;
  readonly current: ReplicaSet | undefined;
  /** The oldest first. */
  readonly old: readonly ReplicaSet[];
  /** Pods of the old ReplicaSets that are still there, leaving ones included. */
  readonly oldPods: number;
};

export type Scaling = { readonly set: ReplicaSet; readonly to: number };

/** Tells the ReplicaSet of the present template from those of earlier ones. */
export function sortSets(deployment: Deployment, sets: readonly ReplicaSet[]): Pick<Rollout, 'current' | 'old'> {
  const wanted = templateText(deployment.spec.template);
  const byAge = sets.toSorted(oldestFirst);
  const current = byAge.find(({ spec }) => spec.template !== undefined && templateText(spec.template) === wanted);
  return { current, old: byAge.filter((set) => set !== current) };
}

/**
 * What to scale next, and to how many; nothing when the rollout is level or has to wait for pods.
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment
 */
export function nextScalings(rollout: Rollout): readonly Scaling[] {
  const { deployment, current, old } = rollout;
  if (current === undefined) return [];
  if (deployment.spec.paused === true) return [];
  if (deployment.spec.strategy?.type === 'Recreate') return recreate(rollout, current);
  const grown = grow(deployment, current, old);
  return grown.length > 0 ? grown : shrink(deployment, current, old);
}

/** How many replicas the ReplicaSet of a new template starts with. */
export function firstReplicas({ deployment, old }: Rollout): number {
  const replicas = replicasOf(deployment);
  if (deployment.spec.strategy?.type === 'Recreate') return old.every((set) => wantedBy(set) === 0) ? replicas : 0;
  return Math.max(0, Math.min(replicas, replicas + maxSurge(deployment) - total(old, wantedBy)));
}

export const replicasOf = ({ spec }: Deployment): number => spec.replicas ?? 1;

/** How many pods may be missing. With neither surge nor absence allowed nothing would ever move, so then it is one. */
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

function recreate({ deployment, old, oldPods }: Rollout, current: ReplicaSet): readonly Scaling[] {
  const remaining = old.filter((set) => wantedBy(set) > 0).map((set) => ({ set, to: 0 }));
  if (remaining.length > 0) return remaining;
  return oldPods === 0 ? scaledTo(current, replicasOf(deployment)) : [];
}

function grow(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Scaling[] {
  const missing = replicasOf(deployment) - wantedBy(current);
  if (missing <= 0) return scaledTo(current, replicasOf(deployment));
  const room = replicasOf(deployment) + maxSurge(deployment) - total([current, ...old], wantedBy);
  return room <= 0 ? [] : scaledTo(current, wantedBy(current) + Math.min(room, missing));
}

/** Pods that do not work go first: that costs nothing. Working ones go as far as availability allows. */
function shrink(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Scaling[] {
  const fewestAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const currentUnavailable = wantedBy(current) - availableOf(current);
  const most = total([current, ...old], wantedBy) - fewestAvailable - currentUnavailable;
  const broken = takeFrom(old, most, (set) => wantedBy(set) - availableOf(set));
  const cleaned = old.map((set) => ({ set, wanted: broken.get(set) ?? wantedBy(set) }));
  const spare = Math.max(0, total([current, ...old], availableOf) - fewestAvailable);
  const left = Math.min(spare, most - total(cleaned, ({ set, wanted }) => wantedBy(set) - wanted));
  return removeWorking(cleaned, left).filter(({ set, to }) => to !== wantedBy(set));
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
    return [set, wantedBy(set) - take] as const;
  });
  return new Map(taken);
}

type Cleaned = { readonly set: ReplicaSet; readonly wanted: number };

function removeWorking(cleaned: readonly Cleaned[], most: number): readonly Scaling[] {
  let left = most;
  return cleaned.map(({ set, wanted }) => {
    const take = Math.max(0, Math.min(left, wanted));
    left -= take;
    return { set, to: wanted - take };
  });
}

const scaledTo = (set: ReplicaSet, to: number): readonly Scaling[] => (wantedBy(set) === to ? [] : [{ set, to }]);

export const wantedBy = ({ spec }: ReplicaSet): number => spec.replicas ?? 1;

export const availableOf = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;

export const total = <T>(items: readonly T[], countOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + countOf(item), 0);

type Template = Deployment['spec']['template'];

/** Templates stay as they are while statuses come and go. */
const texts = new WeakMap<Template, string>();

function templateText(template: Template): string {
  const { metadata, spec } = template;
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {};
  const text = texts.get(template) ?? canonicalText({ labels, annotations: metadata?.annotations ?? {}, spec });
  texts.set(template, text);
  return text;
}

function oldestFirst(a: ReplicaSet, b: ReplicaSet): number {
  const age = compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '');
  return age || compareText(a.metadata.name, b.metadata.name);
}
