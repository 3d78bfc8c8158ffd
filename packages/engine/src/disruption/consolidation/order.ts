import type { Candidate } from '../candidate.ts';
import { bestSavingsFirst } from '../savings-order.ts';

/**
 * The candidates as they are looked at one by one: pools take turns, each with its best savings ratio first, so that no
 * pool waits for a large one.
 * @param looked names of claims that a look that ran out of time came to: they, and their pools, come last
 */
export function inTurns(
  candidates: readonly Candidate[],
  looked: ReadonlySet<string> = new Set(),
): readonly Candidate[] {
  const isLooked = ({ state }: Candidate): boolean => looked.has(state.nodeClaim?.metadata.name ?? '');
  const fresh = candidates.filter((candidate) => !isLooked(candidate));
  const known = new Set(candidates.filter(isLooked).map(poolOf));
  return [...interleaved(fresh, known), ...interleaved(candidates.filter(isLooked), new Set())];
}

const poolOf = ({ nodePool }: Candidate): string => nodePool.metadata.name;

/** @param last pools that come last in each turn */
function interleaved(candidates: readonly Candidate[], last: ReadonlySet<string>): readonly Candidate[] {
  const pools = [...grouped(candidates)]
    .toSorted(([a], [b]) => Number(last.has(a)) - Number(last.has(b)) || (a < b ? -1 : 1))
    .map(([, those]) => those.toSorted(bestSavingsFirst));
  const turns = Math.max(0, ...pools.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => pools.flatMap((pool) => pool[turn] ?? [])).flat();
}

function grouped(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Candidate[]> {
  const byPool = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const pool = byPool.get(poolOf(candidate));
    if (pool === undefined) byPool.set(poolOf(candidate), [candidate]);
    else pool.push(candidate);
  }
  return byPool;
}
