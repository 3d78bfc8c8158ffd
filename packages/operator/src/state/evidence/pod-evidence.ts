import { days, instant, type Instant, minutes, type Pod } from '@nodewright/apis';
import type { OwnerCounters } from '@nodewright/engine';
import {
  addToHour,
  countCells,
  type EvidenceCell,
  EvidenceCells,
  evidenceHourMs,
  type EvidencePlace,
  type EvidenceQuestion,
} from './evidence-cells.ts';
import { ownerOfPod, readPodObservation } from './pod-facts.ts';
import { countPod, hasRun, mergeHistory, noPods, type PodHistory } from './pod-sums.ts';

/** The place of a node by its name; absent for a node that no policy governs. */
export type EvidencePlaceOf = (nodeName: string) => EvidencePlace | undefined;

/** Pods on one node whose containers have never started, and since when the first of them is there. */
export type StuckStarts = { readonly pods: number; readonly since: Instant };

type PodRecord = { readonly place: EvidencePlace; readonly cell: EvidenceCell };

const keptMs = days(8);
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
  readonly #cells = new EvidenceCells();
  readonly #records = new Map<string, PodRecord>();
  /** Those of pods whose containers have never started, by claim and uid. */
  readonly #failing = new Map<string, Map<string, PodRecord>>();
  readonly #handlers: ((place: EvidencePlace) => void)[] = [];
  /** The hour in which old sums were dropped last. */
  #tidiedHour = 0;

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
    const known = this.#records.get(uid);
    const place = known?.place ?? this.#placeOf(pod.spec.nodeName ?? '');
    if (facts === undefined || place === undefined) return;
    const record = known ?? { place, cell: this.#cells.at(place, ownerOfPod(pod)) };
    this.#records.set(uid, record);
    const { present } = record.cell;
    const before = present.get(uid);
    const history = mergeHistory(before, facts);
    present.set(uid, history);
    if (history.facts.hasFailedStart && !hasRun(history)) this.#noteFailing(uid, record);
    else this.#forgetFailing(uid, place);
    if (isPodNews(before, history)) for (const handler of this.#handlers) handler(place);
  }

  #noteFailing(uid: string, record: PodRecord): void {
    const { claim } = record.place;
    const own = this.#failing.get(claim) ?? new Map<string, PodRecord>();
    this.#failing.set(claim, own.set(uid, record));
  }

  #forgetFailing(uid: string, { claim }: EvidencePlace): void {
    const own = this.#failing.get(claim);
    own?.delete(uid);
    if (own?.size === 0) this.#failing.delete(claim);
  }

  notePodEnd({ metadata: { uid = '' } }: Pod, now: Instant): void {
    const record = this.#records.get(uid);
    if (record === undefined) return;
    this.#records.delete(uid);
    const { place, cell } = record;
    this.#forgetFailing(uid, place);
    const history = cell.present.get(uid);
    cell.present.delete(uid);
    if (history !== undefined) keepSums(cell, history, now);
    this.#tidyUp(now);
  }

  /** Pods of a claim that cannot be started, though others of their owners start elsewhere; absent where there are none. */
  stuckOn(claim: string): StuckStarts | undefined {
    let pods = 0;
    let since = Infinity;
    for (const [uid, { cell }] of this.#failing.get(claim) ?? []) {
      const history = cell.present.get(uid);
      if (history === undefined || !this.#startsElsewhere(cell)) continue;
      pods += 1;
      since = Math.min(since, history.facts.boundAt);
    }
    return pods === 0 ? undefined : { pods, since: instant(since) };
  }

  /** On nodes that were not made for the same rollout, pods of the owner have started, and none has failed to. */
  #startsElsewhere({ owner, origin }: EvidenceCell): boolean {
    let hasStarted = false;
    for (const { origin: other, present, gone } of this.#cells.ofOwner(owner)) {
      if (other.rollout === origin.rollout) continue;
      for (const { failedStarts, starts } of gone.values()) {
        if (failedStarts > 0) return false;
        hasStarted ||= starts > 0;
      }
      for (const history of present.values()) {
        if (history.facts.hasFailedStart) return false;
        hasStarted ||= hasRun(history);
      }
    }
    return hasStarted;
  }

  counters(question: EvidenceQuestion): readonly OwnerCounters[] {
    return countCells(this.#cells, question);
  }

  #tidyUp(now: Instant): void {
    const hour = Math.floor(now / evidenceHourMs);
    if (hour === this.#tidiedHour) return;
    this.#tidiedHour = hour;
    this.#cells.dropHoursBefore(now - keptMs);
  }
}

/** A pod that is gone counts in the hour in which it was bound, and its time in the hours in which it was there. */
function keepSums(cell: EvidenceCell, history: PodHistory, now: Instant): void {
  const { boundAt } = history.facts;
  const count = countPod(history, { until: now, readyWithinMs: usualReadyMs });
  addToHour(cell, Math.floor(boundAt / evidenceHourMs), count);
  const from = Math.max(boundAt, now - keptMs);
  for (let hour = Math.floor(from / evidenceHourMs); hour * evidenceHourMs < now; hour += 1) {
    const ms = Math.min(now, (hour + 1) * evidenceHourMs) - Math.max(from, hour * evidenceHourMs);
    addToHour(cell, hour, { ...noPods, podSeconds: Math.floor(ms / 1000) });
  }
}

const isPodNews = (before: PodHistory | undefined, { facts, wasReady }: PodHistory): boolean =>
  before?.facts.hasFailedStart !== facts.hasFailedStart ||
  before.facts.hasRestarted !== facts.hasRestarted ||
  before.wasReady !== wasReady;
