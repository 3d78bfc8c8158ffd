type CellRow = { readonly id: string };

/**
 * Which row has which place among the cells of its group. A row keeps its place for as long as it is there: cells do not move
 * while the page is open. New rows take the places of those that are gone, then places at the end. Where rows only go, the
 * last ones take their places. There may be thousands of them, and few change at a time: the places are kept.
 */
export class CellSlots<Row extends CellRow> {
  readonly #places = new Map<string, number>();
  #slots: readonly Row[] = [];

  /** The rows in their places. */
  fill(rows: readonly Row[]): readonly Row[] {
    const slots: (Row | undefined)[] = Array.from({ length: this.#slots.length });
    const fresh: Row[] = [];
    for (const row of rows) {
      const place = this.#places.get(row.id);
      if (place === undefined) fresh.push(row);
      else slots[place] = row;
    }
    // Most readings change no more than what rows say.
    const filled = rows.length - fresh.length;
    const isSettled = fresh.length === 0 && filled === slots.length;
    this.#slots = isSettled ? slots.filter((row) => row !== undefined) : this.#settle(slots, fresh);
    return this.#slots;
  }

  #settle(slots: readonly (Row | undefined)[], fresh: readonly Row[]): readonly Row[] {
    slots.forEach((row, place) => row === undefined && this.#places.delete(this.#slots[place]?.id ?? ''));
    const waiting = fresh.values();
    const next = closeGaps([...slots.map((row) => row ?? waiting.next().value), ...waiting]);
    next.forEach((row, place) => this.#places.set(row.id, place));
    return next;
  }
}

function closeGaps<Row>(slots: readonly (Row | undefined)[]): readonly Row[] {
  const count = slots.filter((row) => row !== undefined).length;
  const last = slots
    .slice(count)
    .filter((row) => row !== undefined)
    .values();
  return slots.slice(0, count).flatMap((row) => row ?? last.next().value ?? []);
}

/** As many rows of cells a block has. Blocks out of sight are neither laid out nor painted. */
const rowsOfBlock = 8;

/** The cells in blocks of whole rows; no more blocks than so many cells need. */
export function splitIntoBlocks<Row>(
  slots: readonly Row[],
  columns: number,
  most = slots.length,
): readonly (readonly Row[])[] {
  const size = rowsOfBlock * Math.max(1, columns);
  const count = Math.ceil(Math.max(0, Math.min(most, slots.length)) / size);
  return Array.from({ length: count }, (_, index) => slots.slice(index * size, (index + 1) * size));
}

/** How many cells stand beside each other. */
export const countColumns = (width: number, cell: number, gap: number): number =>
  Math.max(1, Math.floor((width + gap) / (cell + gap)));
