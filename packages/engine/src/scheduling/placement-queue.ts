import { fromTimestamp } from '@nodewright/apis';
import type { ClassifiedPod } from './pod-class.ts';

/**
 * Pods in the order in which they get their try: the largest first. A pod that finds no place goes
 * to the back; the queue ends when a whole round of it has brought nothing.
 */
export class PlacementQueue {
  readonly #waiting: ClassifiedPod[];
  #head = 0;
  readonly #lengthWhenPushed = new Map<ClassifiedPod, number>();

  constructor(pods: readonly ClassifiedPod[]) {
    this.#waiting = pods.toSorted(largestFirst);
  }

  /** The next pod to try; `undefined` when all are placed or further tries are pointless. */
  next(): ClassifiedPod | undefined {
    const pod = this.#waiting[this.#head];
    if (pod === undefined || this.#lengthWhenPushed.get(pod) === this.#length) return undefined;
    this.#head += 1;
    return pod;
  }

  /** Lets a pod that found no place wait for another try. */
  pushBack(pod: ClassifiedPod): void {
    this.#waiting.push(pod);
    this.#lengthWhenPushed.set(pod, this.#length);
  }

  /** Those that were left without a place. */
  get left(): readonly ClassifiedPod[] {
    return this.#waiting.slice(this.#head);
  }

  get #length(): number {
    return this.#waiting.length - this.#head;
  }
}

function largestFirst(a: ClassifiedPod, b: ClassifiedPod): number {
  return (
    amount(b, 'cpu') - amount(a, 'cpu') ||
    amount(b, 'memory') - amount(a, 'memory') ||
    createdAt(a) - createdAt(b) ||
    compareText(a.pod.metadata.uid ?? '', b.pod.metadata.uid ?? '') ||
    compareText(a.pod.metadata.name, b.pod.metadata.name)
  );
}

const amount = ({ podClass }: ClassifiedPod, resource: string): number => podClass.requests[resource] ?? 0;

const createdAt = ({ pod }: ClassifiedPod): number =>
  pod.metadata.creationTimestamp === undefined ? 0 : fromTimestamp(pod.metadata.creationTimestamp);

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
