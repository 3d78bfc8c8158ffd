import type { StorageProblem } from './storage-error.ts';

/** What the endpoints of the sandbox need to know of its storage. */
export interface Storage {
  /**
   * Does `work`, and keeps all changes that it makes to the maps, or none of them.
   *
   * Guarantees: when it returns, the changes are kept. When it throws a StorageError, none of them is kept, and the maps
   * are as before; a key that was deleted meanwhile comes last in its map. When `work` throws another error, the
   * changes made until then are kept. A commit inside another one is kept by itself, at once.
   * Assumptions: `work` is synchronous.
   * @throws StorageError when the changes cannot be kept; with a known problem, at the first change
   */
  commit<T>(work: () => T): T;
  /** Why nothing can be kept now; `undefined` when all is well. */
  problem(): StorageProblem | undefined;
}

/** Where the sandbox keeps what has to outlive its process. */
export interface Ledger extends Storage {
  /**
   * The map of this name, with what was in it before. A change inside `commit` is kept with the commit. A change
   * outside, for instance of a timer, is never refused: while it cannot be kept, `problem().isReadable` is false.
   */
  map<V>(name: string): Map<string, V>;
  /** The names of the maps that are not empty, in order. */
  names(): readonly string[];
}

/** Keeps nothing beyond the process: plain maps. */
export function forgetfulLedger(): Ledger {
  return {
    map: <V>() => new Map<string, V>(),
    names: () => [],
    commit: (work) => work(),
    problem: () => undefined,
  };
}

/** The same ledger, which also tells of every change, by the name of its map and before it is made. */
export const tellingLedger = (ledger: Ledger, tell: (map: string) => void): Ledger => ({
  map: <V>(name: string) => tellingMap(ledger.map<V>(name), () => tell(name)),
  names: () => ledger.names(),
  commit: (work) => ledger.commit(work),
  problem: () => ledger.problem(),
});

/** Changes the map itself: what the ledger takes back is taken back in it. */
function tellingMap<V>(map: Map<string, V>, tell: () => void): Map<string, V> {
  const [set, remove, clear] = [map.set.bind(map), map.delete.bind(map), map.clear.bind(map)];
  const told =
    <A extends readonly unknown[], R>(change: (...args: A) => R) =>
    (...args: A): R => {
      tell();
      return change(...args);
    };
  return Object.assign(map, { set: told(set), delete: told(remove), clear: told(clear) });
}
