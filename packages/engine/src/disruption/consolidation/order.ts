import { byTextOf, byNumberOf, inOrder } from '@nodewright/apis';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import { bestSavingsFirst } from '../candidates/savings-order.ts';

/**
 * The candidates as they are looked at one by one: pools take turns, each with its best savings ratio first, so that no
 * pool waits for a large one.
 * @param looked names of claims that a search came to before its time was up: the next goes on with the others, and with
 * those of pools first that it did not come to at all
 */
export function takePoolsInTurns(
  candidates: readonly DisruptionCandidate[],
  looked: ReadonlySet<string> = new Set(),
): readonly DisruptionCandidate[] {
  const isLooked = ({ state }: DisruptionCandidate): boolean => looked.has(state.nodeClaim?.metadata.name ?? '');
  const known = new Set(candidates.filter(isLooked).map(poolOfCandidate));
  const left = candidates.filter((candidate) => !isLooked(candidate));
  const pools = [...groupByPool(left)]
    .toSorted(
      inOrder(
        byNumberOf(([pool]) => Number(known.has(pool))),
        byTextOf(([pool]) => pool),
      ),
    )
    .map(([, those]) => those.toSorted(bestSavingsFirst));
  const turns = Math.max(0, ...pools.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => pools.flatMap((pool) => pool[turn] ?? [])).flat();
}

const poolOfCandidate = ({ nodePool }: DisruptionCandidate): string => nodePool.metadata.name;

function groupByPool(candidates: readonly DisruptionCandidate[]): ReadonlyMap<string, readonly DisruptionCandidate[]> {
  const byPool = new Map<string, DisruptionCandidate[]>();
  for (const candidate of candidates) {
    const pool = byPool.get(poolOfCandidate(candidate));
    if (pool === undefined) byPool.set(poolOfCandidate(candidate), [candidate]);
    else pool.push(candidate);
  }
  return byPool;
}
