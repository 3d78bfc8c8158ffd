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
import { noteChanges } from './follow-collection.ts';
import { Stillness, type StillnessSources } from './stillness.ts';

/** What is not followed one by one is looked at again after so long: prices, volumes, namespaces. */
const longestRestMs = minutes(5);

/**
 * When something last changed that may make a node superfluous, or let a superfluous one go. Who found nothing to
 * consolidate finds nothing as long as that instant stays.
 */
export class NotableChanges {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #stillness: Stillness;
  readonly #handlers: (() => void)[] = [];
  #count = 0;
  /** The next look without a change. */
  #due: Instant;

  constructor(sources: StillnessSources) {
    const { objects, clock } = sources;
    this.#clock = clock;
    this.#due = instant(clock.now() + longestRestMs);
    this.#stillness = new Stillness(sources);
    this.#stillness.onBreak(() => {
      this.#due = this.#dueFrom(clock.now());
      this.#tell();
    });
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

  /** Another number after every change, and every five minutes in which anything may have happened. */
  latest(): number {
    const now = this.#clock.now();
    if (now >= this.#due && !this.#stillness.holds()) this.note();
    return this.#count;
  }

  /** When `latest` becomes another number without a change: `undefined` for never. */
  nextLook(): Instant | undefined {
    const now = this.#clock.now();
    if (!this.#stillness.holds()) return this.#dueFrom(now);
    const until = this.#stillness.lastsUntil();
    return until && this.#dueFrom(until);
  }

  /** Calls `handler` when a number or an instant given before may be another. */
  onChange(handler: () => void): void {
    this.#handlers.push(handler);
  }

  /** Something changed that is no object: prices, overlays. */
  note(): void {
    this.#due = instant(this.#clock.now() + longestRestMs);
    this.#count += 1;
    this.#stillness.begin();
    this.#tell();
  }

  #tell(): void {
    for (const handler of this.#handlers) handler();
  }

  /** The looks that nothing called for are left out; the others stay where they were. */
  #dueFrom(at: Instant): Instant {
    const due = this.#due;
    return due >= at ? due : instant(due + Math.ceil((at - due) / longestRestMs) * longestRestMs);
  }

  #follow<T extends KubernetesObject>(collection: CachedCollection<T>, readOf: (object: T) => unknown): void {
    noteChanges(collection, readOf, () => this.note());
  }
}

const readOfPod = (pod: Pod): unknown => [
  pod.spec.nodeName,
  isTerminal(pod) || isTerminating(pod),
  isGuardedByBudgets(pod) && isReadyPod(pod),
  pod.metadata.annotations?.[karpenterAnnotations.doNotDisrupt],
];

/** Budgets count nodes that are not ready as disrupted. */
const readOfNode = (node: Node): unknown => [
  node.metadata.deletionTimestamp !== undefined,
  isConditionTrue(node, 'Ready'),
  node.metadata.labels?.[karpenterLabels.initialized],
  node.metadata.annotations?.[karpenterAnnotations.doNotDisrupt],
  node.spec?.taints,
];

const readOfClaim = (claim: NodeClaim): unknown => [
  claim.metadata.deletionTimestamp !== undefined,
  claim.status?.lastPodEventTime,
  ...['Initialized', 'Consolidatable', 'Drifted', 'InstanceTerminating'].map((type) => isConditionTrue(claim, type)),
];

const readOfPool = (pool: NodePool): unknown => {
  const ready = conditionOf(pool, 'Ready');
  return [pool.spec, ready?.status, ready?.observedGeneration];
};

const readOfBudget = (budget: PodDisruptionBudget): unknown => {
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return [budget.spec, allowsEviction(budget), currentHealthy >= desiredHealthy];
};
