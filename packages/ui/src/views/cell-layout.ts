import { useEffect, useMemo, useState } from 'preact/hooks';
import { useMeasurement } from '../parts/use-measurement.ts';
import { CellSlots, countColumns } from './cell-slots.ts';

/** The rows in their places, which they keep. */
export function useSlots<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  const slots = useMemo(() => new CellSlots<Row>(), []);
  return useMemo(() => slots.fill(rows), [slots, rows]);
}

/** How many cells fit beside each other; `undefined` before the page is laid out. */
export const useColumns = (cells: { readonly current: HTMLElement | null }): number | undefined =>
  useMeasurement(cells, countColumnsOf);

function countColumnsOf(element: HTMLElement): number {
  const style = getComputedStyle(element);
  const readPixels = (name: string): number => Number.parseFloat(style.getPropertyValue(name));
  return countColumns(element.clientWidth, readPixels('--cell'), readPixels('--cell-gap'));
}

const cellsAtOnce = 600;

/** How many of the cells of a view are drawn: a part at first, and more with every frame, so that no frame takes long. */
export function useGrowingCount(total: number): number {
  const [count, setCount] = useState(cellsAtOnce);
  const isWhole = count >= total;
  useEffect(() => {
    if (isWhole) return undefined;
    const next = requestAnimationFrame(() => setCount(count + cellsAtOnce));
    return () => cancelAnimationFrame(next);
  }, [count, isWhole]);
  return count;
}

/** A group and its rows, and how many of them are drawn while a view grows to `count` rows. */
export type GrowingGroup<Row> = readonly [group: string, rows: readonly Row[], drawn: number];

export function limitGroups<Row>(
  groups: readonly (readonly [string, readonly Row[]])[],
  count: number,
): readonly GrowingGroup<Row>[] {
  let left = count;
  return groups.map(([group, rows]) => {
    const drawn = Math.max(0, Math.min(left, rows.length));
    left -= rows.length;
    return [group, rows, drawn];
  });
}
