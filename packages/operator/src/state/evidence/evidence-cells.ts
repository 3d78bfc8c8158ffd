import { byTextOf, hours, type Instant } from '@nodewright/apis';
import type { OwnerCounters } from '@nodewright/engine';
import { addPodSums, countPod, noPods, type PodHistory, type PodSums } from './pod-sums.ts';

/** Where a pod runs, as evidence counts it. */
export type EvidencePlace = {
  /** Name of the claim of its node. */
  readonly claim: string;
  readonly variant: string;
  readonly image: string;
  /** The rollout that the node was made for. */
  readonly rollout?: string;
};

/** Nodes of one variant and image that were made for the same rollout, or for none. */
export type EvidenceOrigin = Omit<EvidencePlace, 'claim'>;

/** Whose pods are compared: those of members, and those on the images of peers since and before the rollout began. */
export type EvidenceQuestion = {
  readonly rollout: string;
  readonly startedAt: Instant;
  readonly isPeerImage: (place: Pick<EvidencePlace, 'variant' | 'image'>) => boolean;
  /** How long a pod may take to be Ready. */
  readonly readyWithinMs: number;
  readonly now: Instant;
};

/** The pods of one owner on nodes of one origin: the present pods by uid, and the sums of the deleted ones by hour. */
export type EvidenceCell = {
  readonly origin: EvidenceOrigin;
  readonly owner: string;
  readonly present: Map<string, PodHistory>;
  readonly gone: Map<number, PodSums>;
};

export const evidenceHourMs = hours(1);

/** The cells, each once, and those of an owner. A cell without pods and sums is dropped when its hours are. */
export class EvidenceCells {
  readonly #cells = new Map<string, EvidenceCell>();
  readonly #ofOwner = new Map<string, Set<EvidenceCell>>();

  [Symbol.iterator](): Iterator<EvidenceCell> {
    return this.#cells.values();
  }

  ofOwner(owner: string): Iterable<EvidenceCell> {
    return this.#ofOwner.get(owner) ?? [];
  }

  at({ variant, image, rollout }: EvidenceOrigin, owner: string): EvidenceCell {
    const key = `${variant} ${image} ${rollout ?? ''} ${owner}`;
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const origin = { variant, image, ...(rollout === undefined ? {} : { rollout }) };
    const cell: EvidenceCell = { origin, owner, present: new Map(), gone: new Map() };
    this.#cells.set(key, cell);
    this.#ofOwner.set(owner, (this.#ofOwner.get(owner) ?? new Set()).add(cell));
    return cell;
  }

  /** Drops the sums of hours that began before. */
  dropHoursBefore(instant: number): void {
    for (const [key, cell] of this.#cells) {
      for (const hour of cell.gone.keys()) if (hour * evidenceHourMs < instant) cell.gone.delete(hour);
      if (cell.present.size + cell.gone.size > 0) continue;
      this.#cells.delete(key);
      const own = this.#ofOwner.get(cell.owner);
      own?.delete(cell);
      if (own?.size === 0) this.#ofOwner.delete(cell.owner);
    }
  }
}

export function addToHour(cell: EvidenceCell, hour: number, sums: PodSums): void {
  cell.gone.set(hour, addPodSums(cell.gone.get(hour) ?? noPods, sums));
}

const peersBeforeMs = 7 * 24 * evidenceHourMs;

/** The counters by variant, side and owner, in the order of these words. */
export function countCells(cells: Iterable<EvidenceCell>, question: EvidenceQuestion): readonly OwnerCounters[] {
  const rows = new Map<string, WritableRow<OwnerCounters>>();
  const rowOf = ({ origin, owner }: EvidenceCell, side: CountedSide): WritableRow<OwnerCounters> => {
    const key = `${origin.variant} ${side} ${owner}`;
    const known = rows.get(key);
    if (known !== undefined) return known;
    const row = { variant: origin.variant, side, owner, ...noPods };
    rows.set(key, row);
    return row;
  };
  for (const cell of cells) {
    const side = sideOfOrigin(cell.origin, question);
    if (side === undefined) continue;
    const before = side === 'peers' ? 'peersBefore' : side;
    countCell(cell, question, { since: () => rowOf(cell, side), before: () => rowOf(cell, before) });
  }
  return [...rows].toSorted(byTextOf(([key]) => key)).map(([, row]) => row);
}

type CountedSide = OwnerCounters['side'];
type WritableRow<T> = { -readonly [Name in keyof T]: T[Name] };
type CellRows = Readonly<Record<'since' | 'before', () => WritableRow<PodSums>>>;

function countCell(
  { present, gone }: EvidenceCell,
  { startedAt, now, readyWithinMs }: EvidenceQuestion,
  { since, before }: CellRows,
): void {
  const oldest = now - peersBeforeMs;
  for (const [hour, sums] of gone) {
    const end = (hour + 1) * evidenceHourMs;
    if (end > oldest) addSumsTo(end > startedAt ? since() : before(), sums);
  }
  for (const history of present.values()) {
    const { boundAt } = history.facts;
    addSumsTo(boundAt >= startedAt ? since() : before(), countPod(history, { until: now, readyWithinMs }));
    const from = Math.max(boundAt, oldest);
    const msSince = now - Math.max(from, startedAt);
    if (msSince > 0) since().podSeconds += Math.floor(msSince / 1000);
    if (startedAt > from) before().podSeconds += Math.floor((startedAt - from) / 1000);
  }
}

function addSumsTo(row: WritableRow<PodSums>, sums: PodSums): void {
  row.starts += sums.starts;
  row.failedStarts += sums.failedStarts;
  row.podSeconds += sums.podSeconds;
  row.restartedPods += sums.restartedPods;
  row.duePods += sums.duePods;
  row.unreadyPods += sums.unreadyPods;
}

/** Members are what was made for the rollout; peers run the proven image. */
const sideOfOrigin = (origin: EvidenceOrigin, { rollout, isPeerImage }: EvidenceQuestion): CountedSide | undefined =>
  origin.rollout === rollout ? 'members' : isPeerImage(origin) ? 'peers' : undefined;
