import { type Instant, labelSelectorPredicate, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import type { RunWorkload } from './run-record.ts';

type Standing = {
  readyBefore: number;
  leastReady: number;
  readonly ready: Set<string>;
  namespace: string;
  labels: Readonly<Record<string, string>>;
  belowSince: Instant | undefined;
  msBelow: number;
  emptySince: Instant | undefined;
  msEmpty: number;
};

/** Counts the ready pods of every workload. */
export class WorkloadWatch {
  readonly #now: () => Instant;
  readonly #workloads = new Map<string, Standing>();
  readonly #budgets = new Map<string, PodDisruptionBudget>();
  #hasBegun = false;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  begin(): void {
    this.#hasBegun = true;
    for (const standing of this.#workloads.values()) {
      standing.readyBefore = standing.ready.size;
      standing.leastReady = standing.ready.size;
      this.#count(standing);
    }
  }

  seeBudget(budget: PodDisruptionBudget, isGone: boolean): void {
    const name = `${budget.metadata.namespace}/${budget.metadata.name}`;
    const before = this.#budgets.get(name);
    if (isGone) this.#budgets.delete(name);
    else this.#budgets.set(name, budget);
    if (!this.#hasBegun || (!isGone && before?.status?.desiredHealthy === budget.status?.desiredHealthy)) return;
    for (const standing of this.#workloads.values())
      if (standing.namespace === budget.metadata.namespace) this.#count(standing);
  }

  /** @returns the workload of the pod; none for a pod that no controller makes anew, or that every node has */
  see(pod: Pod, { isReady, isGone }: { readonly isReady: boolean; readonly isGone: boolean }): string | undefined {
    const workload = workloadOfPod(pod);
    if (workload === undefined) return undefined;
    const standing = this.#workloads.get(workload) ?? newStanding(pod);
    this.#workloads.set(workload, standing);
    if (isReady && !isGone) standing.ready.add(pod.metadata.name);
    else standing.ready.delete(pod.metadata.name);
    if (this.#hasBegun) this.#count(standing);
    return workload;
  }

  results(): readonly RunWorkload[] {
    return [...this.#workloads].map(([workload, standing]) => {
      this.#endBelow(standing);
      this.#endEmpty(standing);
      const { readyBefore, leastReady, msBelow, msEmpty } = standing;
      return {
        workload,
        readyBefore,
        leastReady,
        secondsBelow: Math.round(msBelow / 1000),
        secondsWithoutReady: Math.round(msEmpty / 1000),
      };
    });
  }

  #count(standing: Standing): void {
    const { size } = standing.ready;
    standing.leastReady = Math.min(standing.leastReady, size);
    const isBelow = size < this.#wantedOf(standing);
    if (isBelow) standing.belowSince ??= this.#now();
    else this.#endBelow(standing);
    if (size === 0 && standing.readyBefore > 0) standing.emptySince ??= this.#now();
    else this.#endEmpty(standing);
  }

  #endEmpty(standing: Standing): void {
    if (standing.emptySince !== undefined) standing.msEmpty += this.#now() - standing.emptySince;
    standing.emptySince = undefined;
  }

  #endBelow(standing: Standing): void {
    if (standing.belowSince !== undefined) standing.msBelow += this.#now() - standing.belowSince;
    standing.belowSince = undefined;
  }

  /** What its budget wants; without one there is no own minimum. */
  #wantedOf({ namespace, labels }: Standing): number {
    const wanted = [...this.#budgets.values()]
      .filter(({ metadata, spec }) => metadata.namespace === namespace && labelSelectorPredicate(spec.selector)(labels))
      .map(({ status }) => status?.desiredHealthy ?? 0);
    return Math.max(0, ...wanted);
  }
}

const newStanding = ({ metadata }: Pod): Standing => ({
  readyBefore: 0,
  leastReady: 0,
  ready: new Set(),
  namespace: metadata.namespace ?? '',
  labels: metadata.labels ?? {},
  belowSince: undefined,
  msBelow: 0,
  emptySince: undefined,
  msEmpty: 0,
});

/** `default/web`: the Deployment of a ReplicaSet, by the hash in its name. */
function workloadOfPod({ metadata }: Pod): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || owner.kind === 'DaemonSet' || owner.kind === 'Node') return undefined;
  const hash = metadata.labels?.['pod-template-hash'];
  const isOfDeployment = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`);
  const name = isOfDeployment ? owner.name.slice(0, -hash.length - 1) : owner.name;
  return `${metadata.namespace ?? ''}/${name}`;
}
