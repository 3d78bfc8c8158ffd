import { byText, fromTimestamp, readOwn, byValueOf, inOrder, byNumberOf, inReverse } from '@nodewright/apis';
import type { Pod } from '@nodewright/apis';
import type { ClassifiedPod, ClassifiedPods, PodClass } from './pod-class.ts';

/** Pods of one size in order: pods of one class, or of several classes. */
type PodTurn = ClassifiedPods | readonly ClassifiedPod[];

/** The rank of a class. Lower ranks come first, whatever the size of the pods. */
export type PodRank = (podClass: PodClass) => number;

/**
 * The order in which pods are tried: the largest first. A pod without a place goes
 * to the back. The queue ends when a whole cycle has placed nothing. Pods of one size are put
 * in order when their turn comes, so that little is held beside the lists of their classes.
 */
export class PlacementQueue {
  /** Classes by rank and size, the first at the end. */
  readonly #sizes: (readonly ClassifiedPods[])[];
  readonly #afterEquals: ReadonlySet<Pod>;
  #turn: PodTurn = [];
  /** How many pods of the current turn have left the queue. */
  #head = 0;
  /** Pods without a place, which are tried again after all sizes. */
  readonly #again: ClassifiedPod[] = [];
  readonly #lengthWhenPushed = new Map<ClassifiedPod, number>();
  #length = 0;

  /** @param afterEquals pods that come after the other pods of their size */
  constructor(classes: readonly ClassifiedPods[], afterEquals: ReadonlySet<Pod> = noTurns, rank: PodRank = unranked) {
    this.#sizes = lastFirst(classes, rank);
    this.#afterEquals = afterEquals;
    for (const { pods } of classes) this.#length += pods.length;
  }

  /** The next pod to try; `undefined` when all are placed or further tries are pointless. */
  next(): ClassifiedPod | undefined {
    const pod = candidateAt(this.#turnWithPods(), this.#head);
    if (pod === undefined || this.#lengthWhenPushed.get(pod) === this.#length) return undefined;
    this.#take(1);
    return pod;
  }

  /** Takes the pods of a class that come next, at most so many. */
  takeEquals(podClass: PodClass, most: number): readonly Pod[] {
    if (!isMixed(this.#turn)) {
      const pods = this.#turn.podClass === podClass ? this.#turn.pods.slice(this.#head, this.#head + most) : [];
      this.#take(pods.length);
      return pods;
    }
    const pods: Pod[] = [];
    for (let next = this.#turn[this.#head]; next?.podClass === podClass && pods.length < most;) {
      pods.push(next.pod);
      this.#take(1);
      next = this.#turn[this.#head];
    }
    return pods;
  }

  /** Whether the next pod is of a class, as far as pods of one size go. */
  comesNext(podClass: PodClass): boolean {
    const turn = this.#turn;
    if (isMixed(turn)) return turn[this.#head]?.podClass === podClass;
    return turn.podClass === podClass && this.#head < turn.pods.length;
  }

  /** Puts a pod without a place at the back. */
  pushBack(pod: ClassifiedPod): void {
    this.#again.push(pod);
    this.#length += 1;
    this.#lengthWhenPushed.set(pod, this.#length);
  }

  /** The pods that are left without a place. */
  get left(): readonly ClassifiedPod[] {
    const unreached = this.#sizes.toReversed().flatMap((classes) => candidates(this.#inOrder(classes)));
    const again = this.#turn === this.#again ? [] : this.#again;
    return [...candidates(this.#turn).slice(this.#head), ...unreached, ...again];
  }

  #take(count: number): void {
    this.#head += count;
    this.#length -= count;
  }

  /** The current turn, or the next turn with pods left. */
  #turnWithPods(): PodTurn {
    while (this.#head === (isMixed(this.#turn) ? this.#turn : this.#turn.pods).length && this.#turn !== this.#again) {
      const classes = this.#sizes.pop();
      this.#turn = classes === undefined ? this.#again : this.#inOrder(classes);
      this.#head = 0;
    }
    return this.#turn;
  }

  #inOrder(classes: readonly ClassifiedPods[]): PodTurn {
    const isAfter = (pod: Pod): number => Number(this.#afterEquals.has(pod));
    const byTurn = this.#afterEquals.size === 0 ? oldestPodFirst : inOrder(byNumberOf(isAfter), oldestPodFirst);
    const [only, another] = classes;
    return only !== undefined && another === undefined
      ? { podClass: only.podClass, pods: only.pods.toSorted(byTurn) }
      : classes.flatMap(candidates).toSorted(byValueOf(({ pod }) => pod, byTurn));
  }
}

const noTurns: ReadonlySet<Pod> = new Set();

const unranked = (): number => 0;

const isMixed = (turn: PodTurn): turn is readonly ClassifiedPod[] => Array.isArray(turn);

function candidateAt(turn: PodTurn, index: number): ClassifiedPod | undefined {
  if (isMixed(turn)) return turn[index];
  const pod = turn.pods[index];
  return pod === undefined ? undefined : { pod, podClass: turn.podClass };
}

function candidates(turn: PodTurn): readonly ClassifiedPod[] {
  return isMixed(turn) ? turn : turn.pods.map((pod) => ({ pod, podClass: turn.podClass }));
}

/** Classes by rank and size, of which there are few. */
function lastFirst(classes: readonly ClassifiedPods[], rank: PodRank): (readonly ClassifiedPods[])[] {
  const byPlace = new Map<string, ClassifiedPods[]>();
  for (const each of classes) {
    const place = `${rank(each.podClass)} ${amountRequested(each, 'cpu')} ${amountRequested(each, 'memory')}`;
    const equals = byPlace.get(place);
    if (equals === undefined) byPlace.set(place, [each]);
    else equals.push(each);
  }
  return [...byPlace.values()].toSorted(
    byValueOf(
      ([first]) => first as ClassifiedPods,
      inOrder(inReverse(byNumberOf(({ podClass }) => rank(podClass))), smallestClassFirst),
    ),
  );
}

export const smallestClassFirst = (a: ClassifiedPods, b: ClassifiedPods): number =>
  amountRequested(a, 'cpu') - amountRequested(b, 'cpu') || amountRequested(a, 'memory') - amountRequested(b, 'memory');

const amountRequested = ({ podClass }: ClassifiedPods, resource: string): number =>
  readOwn(podClass.requests, resource) ?? 0;

export function oldestPodFirst({ metadata: a }: Pod, { metadata: b }: Pod): number {
  return byAge(a.creationTimestamp, b.creationTimestamp) || byText(a.uid ?? '', b.uid ?? '') || byText(a.name, b.name);
}

const byAge = (a: string | undefined, b: string | undefined): number =>
  a === b ? 0 : podCreatedAt(a) - podCreatedAt(b);

const podCreatedAt = (timestamp: string | undefined): number =>
  timestamp === undefined ? 0 : fromTimestamp(timestamp);
