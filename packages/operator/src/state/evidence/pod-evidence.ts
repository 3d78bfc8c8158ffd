import { byTextOf, days, hours, instant, type Instant, minutes, type Pod } from '@nodewright/apis';
import type { OwnerCounters } from '@nodewright/engine';
import { ownerOfPod, readPodObservation } from './pod-facts.ts';
import { addPodSums, countPod, hasRun, mergeHistory, noPods, type PodHistory, type PodSums } from './pod-sums.ts';

/** Where a pod runs, as evidence counts it. */
export type EvidencePlace = {
  /** Name of the claim of its node. */
  readonly claim: string;
  readonly variant: string;
  readonly image: string;
  /** The rollout that the node was made for. */
  readonly rollout?: string;
};

/** The place of a node by its name; absent for a node that no policy governs. */
export type EvidencePlaceOf = (nodeName: string) => EvidencePlace | undefined;

/** Whose pods are compared: those of members, and those on the images of peers since and before the rollout began. */
export type EvidenceQuestion = {
  readonly rollout: string;
  readonly startedAt: Instant;
  readonly isPeerImage: (place: Pick<EvidencePlace, 'variant' | 'image'>) => boolean;
  /** How long a pod may take to be Ready. */
  readonly readyWithinMs: number;
  readonly now: Instant;
};

/** Pods on one node whose containers have never started, and since when the first of them is there. */
export type StuckStarts = { readonly pods: number; readonly since: Instant };

type PodRecord = { readonly place: EvidencePlace; readonly owner: string; readonly history: PodHistory };
type BucketOrigin = Pick<EvidencePlace, 'variant' | 'image' | 'rollout'>;
type EvidenceBucket = {
  readonly place: BucketOrigin;
  readonly owner: string;
  readonly hour: number;
  readonly sums: PodSums;
};

const keptMs = days(8);
const peersBeforeMs = days(7);
const hourMs = hours(1);
/** Pods that are gone are counted by this limit, whatever a policy says. */
const usualReadyMs = minutes(10);

/**
 * Counters of what pods did on the nodes that policies govern, from the watch of pods.
 *
 * Guarantees: a pod counts at most once in each counter, whatever it did again and again. Pods that are there are counted
 * one by one; pods that are gone are summed by owner and hour, for eight days.
 *
 * Assumptions: a restart of the operator forgets the pods that are gone. Those that are there count again.
 */
export class PodEvidence {
  readonly #placeOf: EvidencePlaceOf;
  readonly #records = new Map<string, PodRecord>();
  /** The same records, by claim and uid. */
  readonly #ofClaim = new Map<string, Map<string, PodRecord>>();
  readonly #buckets = new Map<string, EvidenceBucket>();
  readonly #handlers: ((place: EvidencePlace) => void)[] = [];

  constructor(placeOf: EvidencePlaceOf) {
    this.#placeOf = placeOf;
  }

  /** Called with the place of a pod that failed to start, restarted or became Ready for the first time. */
  onNews(handler: (place: EvidencePlace) => void): void {
    this.#handlers.push(handler);
  }

  notePod(pod: Pod): void {
    const facts = readPodObservation(pod);
    const uid = pod.metadata.uid ?? '';
    const before = this.#records.get(uid);
    const place = before?.place ?? this.#placeOf(pod.spec.nodeName ?? '');
    if (facts === undefined || place === undefined) return;
    const history = mergeHistory(before?.history, facts);
    const record = { place, owner: before?.owner ?? ownerOfPod(pod), history };
    this.#records.set(uid, record);
    const own = this.#ofClaim.get(place.claim) ?? new Map<string, PodRecord>();
    this.#ofClaim.set(place.claim, own.set(uid, record));
    if (isPodNews(before?.history, history)) for (const handler of this.#handlers) handler(place);
  }

  notePodEnd({ metadata: { uid = '' } }: Pod, now: Instant): void {
    const record = this.#records.get(uid);
    if (record === undefined) return;
    this.#records.delete(uid);
    const { place } = record;
    const own = this.#ofClaim.get(place.claim);
    own?.delete(uid);
    if (own?.size === 0) this.#ofClaim.delete(place.claim);
    this.#keepSums(record, now);
  }

  /** Pods of a claim that cannot be started, though others of their owners start elsewhere; absent where there are none. */
  stuckOn(claim: string): StuckStarts | undefined {
    const own = [...(this.#ofClaim.get(claim)?.values() ?? [])];
    const stuck = own
      .filter(({ history }) => history.facts.hasFailedStart && !hasRun(history))
      .filter((record) => this.#startsElsewhere(record));
    if (stuck.length === 0) return undefined;
    return { pods: stuck.length, since: instant(Math.min(...stuck.map(({ history }) => history.facts.boundAt))) };
  }

  /** On nodes that were not made for the same rollout, pods of the owner have started, and none has failed to. */
  #startsElsewhere({ owner, place }: PodRecord): boolean {
    const isElsewhere = (other: { readonly owner: string; readonly place: BucketOrigin }): boolean =>
      other.owner === owner && other.place.rollout !== place.rollout;
    const present = [...this.#records.values()].filter(isElsewhere);
    const past = [...this.#buckets.values()].filter(isElsewhere);
    const failed =
      present.some(({ history }) => history.facts.hasFailedStart) || past.some(({ sums }) => sums.failedStarts > 0);
    return !failed && (present.some(({ history }) => hasRun(history)) || past.some(({ sums }) => sums.starts > 0));
  }

  counters(question: EvidenceQuestion): readonly OwnerCounters[] {
    const table = new CounterTable(question);
    const oldest = question.now - peersBeforeMs;
    for (const { place, owner, hour, sums } of this.#buckets.values())
      if ((hour + 1) * hourMs > oldest) table.add(place, owner, (hour + 1) * hourMs > question.startedAt, sums);
    for (const { place, owner, history } of this.#records.values()) {
      const { boundAt } = history.facts;
      table.add(place, owner, boundAt >= question.startedAt, countPod(history, { ...question, until: question.now }));
      const from = Math.max(boundAt, oldest);
      table.addTime(place, owner, true, question.now - Math.max(from, question.startedAt));
      table.addTime(place, owner, false, question.startedAt - from);
    }
    return table.rows();
  }

  #keepSums({ place, owner, history }: PodRecord, now: Instant): void {
    const { boundAt } = history.facts;
    const count = countPod(history, { until: now, readyWithinMs: usualReadyMs });
    this.#put(place, { owner, hour: Math.floor(boundAt / hourMs) }, count);
    const from = Math.max(boundAt, now - keptMs);
    for (let hour = Math.floor(from / hourMs); hour * hourMs < now; hour += 1) {
      const ms = Math.min(now, (hour + 1) * hourMs) - Math.max(from, hour * hourMs);
      this.#put(place, { owner, hour }, { ...noPods, podSeconds: Math.floor(ms / 1000) });
    }
    for (const [key, { hour }] of this.#buckets) if (hour * hourMs < now - keptMs) this.#buckets.delete(key);
  }

  #put(place: BucketOrigin, { owner, hour }: { readonly owner: string; readonly hour: number }, sums: PodSums): void {
    const { variant, image, rollout } = place;
    const key = `${variant} ${image} ${rollout ?? ''} ${owner} ${hour}`;
    const before = this.#buckets.get(key)?.sums ?? noPods;
    this.#buckets.set(key, { place, owner, hour, sums: addPodSums(before, sums) });
  }
}

/** The counters of an answer, while they are put together. */
class CounterTable {
  readonly #question: EvidenceQuestion;
  readonly #rows = new Map<string, OwnerCounters>();

  constructor(question: EvidenceQuestion) {
    this.#question = question;
  }

  add(place: BucketOrigin, owner: string, isSinceStart: boolean, sums: PodSums): void {
    const side = sideOfPlace(place, this.#question, isSinceStart);
    if (side === undefined) return;
    const { variant } = place;
    const key = `${variant} ${side} ${owner}`;
    this.#rows.set(key, { variant, side, owner, ...addPodSums(this.#rows.get(key) ?? noPods, sums) });
  }

  addTime(place: BucketOrigin, owner: string, isSinceStart: boolean, ms: number): void {
    if (ms > 0) this.add(place, owner, isSinceStart, { ...noPods, podSeconds: Math.floor(ms / 1000) });
  }

  rows(): readonly OwnerCounters[] {
    return [...this.#rows].toSorted(byTextOf(([key]) => key)).map(([, row]) => row);
  }
}

/** Members are what was made for the rollout; peers run the proven image. */
function sideOfPlace(
  place: BucketOrigin,
  { rollout, isPeerImage }: EvidenceQuestion,
  isSinceStart: boolean,
): OwnerCounters['side'] | undefined {
  if (place.rollout === rollout) return 'members';
  if (!isPeerImage(place)) return undefined;
  return isSinceStart ? 'peers' : 'peersBefore';
}

const isPodNews = (before: PodHistory | undefined, { facts, wasReady }: PodHistory): boolean =>
  before?.facts.hasFailedStart !== facts.hasFailedStart ||
  before.facts.hasRestarted !== facts.hasRestarted ||
  before.wasReady !== wasReady;
