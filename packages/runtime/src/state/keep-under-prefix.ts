import type { Ledger } from './ledger.ts';

/** The part of a ledger whose maps have names that begin so. */
export const keepUnderPrefix = (ledger: Ledger, prefix: string): Ledger => ({
  map: <V>(name: string) => ledger.map<V>(`${prefix}${name}`),
  names: () =>
    ledger
      .names()
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length)),
  commit: (work) => ledger.commit(work),
  problem: () => ledger.problem(),
});
