import { readOwn } from '@nodewright/apis';
import type { Resources } from './instance-type.ts';

/** Amounts in the order of one problem's resource names; rows of one table can be compared position by position. */
export type ResourceRow = readonly number[];

/** The resources that occur in one problem, in a fixed order. */
export type ResourceTable = { readonly names: readonly string[]; row(resources: Resources): ResourceRow };

/**
 * @param all every list of resources that will be compared
 * @param first names that come first, in their order; rows of a table with these alone are the beginnings of rows of this one
 */
export function resourceTable(all: Iterable<Resources>, first: readonly string[] = []): ResourceTable {
  const seen = new Set<string>();
  for (const resources of all) for (const name in resources) seen.add(name);
  const names = [...first, ...[...seen].filter((name) => !first.includes(name)).toSorted()];
  return { names, row: (resources) => names.map((name) => readOwn(resources, name) ?? 0) };
}

/** Whether what is asked for is there, resource by resource. Nothing fits where something is overdrawn. */
export function fitsRow(requested: ResourceRow, available: ResourceRow): boolean {
  for (let i = 0; i < requested.length; i++) if ((requested[i] ?? 0) > (available[i] ?? 0)) return false;
  return true;
}

/** As `fits(a + b, available)`, without building the sum. */
export function sumFits(a: ResourceRow, b: ResourceRow, available: ResourceRow): boolean {
  for (let i = 0; i < a.length; i++) if ((a[i] ?? 0) + (b[i] ?? 0) > (available[i] ?? 0)) return false;
  return true;
}

/** How many times `each` fits beside what is taken; infinite when it asks for nothing. */
export function timesFitting(each: ResourceRow, taken: ResourceRow, available: ResourceRow): number {
  let times = Infinity;
  for (let i = 0; i < each.length; i++) {
    const amount = each[i] ?? 0;
    const left = (available[i] ?? 0) - (taken[i] ?? 0);
    if (left < 0) return 0;
    if (amount > 0) times = Math.min(times, Math.floor(left / amount));
  }
  return times;
}

export function addRows(a: ResourceRow, b: ResourceRow): ResourceRow {
  const sum: number[] = [];
  for (let i = 0; i < a.length; i++) sum.push((a[i] ?? 0) + (b[i] ?? 0));
  return sum;
}

export function subtractRows(a: ResourceRow, b: ResourceRow): ResourceRow {
  const rest: number[] = [];
  for (let i = 0; i < a.length; i++) rest.push((a[i] ?? 0) - (b[i] ?? 0));
  return rest;
}
