import { fromTimestamp } from '@nodewright/apis';
import type { Pod } from '@nodewright/apis';
import type { ClassifiedPod, PodClass } from './pod-class.ts';

/**
 * Pods in the order in which they get their try: the largest first. A pod that finds no place goes
 * to the back; the queue ends when a whole round of it has brought nothing.
 */
export class PlacementQueue {
  readonly #waiting: ClassifiedPod[];
  #head = 0;
  readonly #lengthWhenPushed = new Map<ClassifiedPod, number>();

  /** @param afterEquals pods that come after others of their size */
  constructor(pods: readonly ClassifiedPod[], afterEquals: ReadonlySet<Pod> = noPods) {
    this.#waiting = largestFirst(pods, afterEquals);
  }

  /** The next pod to try; `undefined` when all are placed or further tries are pointless. */
  next(): ClassifiedPod | undefined {
    const pod = this.#waiting[this.#head];
    if (pod === undefined || this.#lengthWhenPushed.get(pod) === this.#length) return undefined;
    this.#head += 1;
    return pod;
  }

  /** Takes the pods of a class that come next, at most so many. */
  takeEquals(podClass: PodClass, most: number): readonly Pod[] {
    const pods: Pod[] = [];
    for (let next = this.#waiting[this.#head]; next?.podClass === podClass && pods.length < most;) {
      pods.push(next.pod);
      this.#head += 1;
      next = this.#waiting[this.#head];
    }
    return pods;
  }

  /** Whether the next pod is of a class. */
  comesNext(podClass: PodClass): boolean {
    return this.#waiting[this.#head]?.podClass === podClass;
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

const noPods: ReadonlySet<Pod> = new Set();

/** Sorts sizes, of which there are few, and then the pods of each size. */
function largestFirst(pods: readonly ClassifiedPod[], afterEquals: ReadonlySet<Pod>): ClassifiedPod[] {
  const ofClass = new Map<PodClass, ClassifiedPod[]>();
  const bySize = new Map<string, ClassifiedPod[]>();
  for (const each of pods) {
    let equals = ofClass.get(each.podClass);
    if (equals === undefined) {
      const size = `${amount(each, 'cpu')} ${amount(each, 'memory')}`;
      equals = bySize.get(size) ?? [];
      bySize.set(size, equals);
      ofClass.set(each.podClass, equals);
    }
    equals.push(each);
  }
  const sizes = [...bySize.values()].toSorted(([a], [b]) => bySizeOf(a as ClassifiedPod, b as ClassifiedPod));
  if (afterEquals.size === 0) return sizes.flatMap((equals) => equals.toSorted(oldestFirst));
  const isAfter = ({ pod }: ClassifiedPod): number => Number(afterEquals.has(pod));
  return sizes.flatMap((equals) => equals.toSorted((a, b) => isAfter(a) - isAfter(b) || oldestFirst(a, b)));
}

const bySizeOf = (a: ClassifiedPod, b: ClassifiedPod): number =>
  amount(b, 'cpu') - amount(a, 'cpu') || amount(b, 'memory') - amount(a, 'memory');

const amount = ({ podClass }: ClassifiedPod, resource: string): number => podClass.requests[resource] ?? 0;

function oldestFirst({ pod: a }: ClassifiedPod, { pod: b }: ClassifiedPod): number {
  return (
    byAge(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
    compareText(a.metadata.uid ?? '', b.metadata.uid ?? '') ||
    compareText(a.metadata.name, b.metadata.name)
  );
}

const byAge = (a: string | undefined, b: string | undefined): number => (a === b ? 0 : createdAt(a) - createdAt(b));

const createdAt = (timestamp: string | undefined): number => (timestamp === undefined ? 0 : fromTimestamp(timestamp));

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
