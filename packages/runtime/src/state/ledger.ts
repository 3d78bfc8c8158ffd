/** Where the sandbox keeps what has to outlive its process. */
export interface Ledger {
  /** The map of this name, with what was in it before. Whoever changes it has the change kept. */
  map<V>(name: string): Map<string, V>;
  /** The names of the maps that are not empty, in order. */
  names(): readonly string[];
}

/** Keeps nothing beyond the process: plain maps. */
export function forgetfulLedger(): Ledger {
  return { map: <V>() => new Map<string, V>(), names: () => [] };
}
