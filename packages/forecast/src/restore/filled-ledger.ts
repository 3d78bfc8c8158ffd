import type { Ledger } from '@nodewright/runtime';

/** A ledger that begins with what is given, and keeps nothing beyond the process. */
export function filledLedger(given: ReadonlyMap<string, ReadonlyMap<string, unknown>>): Ledger {
  const maps = new Map([...given].map(([name, entries]) => [name, new Map(entries)]));
  return {
    map: <V>(name: string): Map<string, V> => {
      const known = maps.get(name) ?? new Map<string, unknown>();
      maps.set(name, known);
      return known as Map<string, V>;
    },
    names: () => [...maps].flatMap(([name, { size }]) => (size === 0 ? [] : [name])).toSorted(),
    commit: (work) => work(),
    problem: () => undefined,
  };
}
