import {
  conditionOf,
  instant,
  isConditionTrue,
  karpenterAnnotations,
  karpenterLabels,
  type Instant,
  type KubernetesObject,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
  minutes,
} from '@nodewright/apis';
import { allowsEviction, isGuardedByBudgets, isReadyPod, isTerminal, isTerminating } from '@nodewright/engine';
import type { Clock } from '@nodewright/runtime';
import type { CachedCollection } from '../objects/collection.ts';
import { isEqualDiffValue } from '../objects/merge-diff.ts';
import type { Objects } from './objects.ts';

/** Whatever happens, the cluster is looked at again after so long: prices and time change it too. */
const longestRestMs = minutes(5);

/**
 * When something last changed that may make a node superfluous, or let a superfluous one go. Who found nothing to
 * consolidate finds nothing as long as that instant stays.
 */
export class NotableChanges {
  readonly #clock: Clock;
  #count = 0;
  #at: Instant;

  constructor(objects: Objects, clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
    this.#follow(objects.pods, readOfPod);
    this.#follow(objects.nodes, readOfNode);
    this.#follow(objects.nodeClaims, readOfClaim);
    this.#follow(objects.nodePools, readOfPool);
    this.#follow(objects.podDisruptionBudgets, readOfBudget);
    this.#follow(objects.pauses, ({ spec }) => spec);
    this.#follow(objects.rollouts, ({ status }) => [
      status?.seats?.map(({ member, result }) => [member, result]),
      status?.halted?.at,
    ]);
  }

  /** Another number after every change, and after five minutes without one. */
  latest(): number {
    if (this.#clock.now() >= this.#at + longestRestMs) this.note();
    return this.#count;
  }

  /** Something changed that is no object: prices, overlays. */
  note(): void {
    this.#at = instant(this.#clock.now());
    this.#count += 1;
  }

  #follow<T extends KubernetesObject>(collection: CachedCollection<T>, readOf: (object: T) => unknown): void {
    collection.cache.onChange(({ before, after }) => {
      if (before === undefined || after === undefined || !isEqualDiffValue(readOf(before), readOf(after))) this.note();
    });
  }
}

const readOfPod = (pod: Pod): unknown => [
  pod.spec.nodeName,
  isTerminal(pod) || isTerminating(pod),
  isGuardedByBudgets(pod) && isReadyPod(pod),
  pod.metadata.annotations?.[karpenterAnnotations.doNotDisrupt],
];

const readOfNode = ({ metadata, spec }: Node): unknown => [
  metadata.deletionTimestamp !== undefined,
  metadata.labels?.[karpenterLabels.initialized],
  metadata.annotations?.[karpenterAnnotations.doNotDisrupt],
  spec?.taints,
];

const readOfClaim = (claim: NodeClaim): unknown => [
  claim.metadata.deletionTimestamp !== undefined,
  claim.status?.lastPodEventTime,
  ...['Initialized', 'Consolidatable', 'Drifted'].map((type) => isConditionTrue(claim, type)),
];

const readOfPool = (pool: NodePool): unknown => {
  const ready = conditionOf(pool, 'Ready');
  return [pool.spec, ready?.status, ready?.observedGeneration];
};

const readOfBudget = (budget: PodDisruptionBudget): unknown => {
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return [budget.spec, allowsEviction(budget), currentHealthy >= desiredHealthy];
};
