type Pace = { readonly atATime: number; readonly signal: AbortSignal };

/**
 * Begins the work in the order of the items, the next one whenever one is done. What fails keeps none of the others
 * from its turn.
 * @throws the first failure, when all have had their turn; the signal's reason, when the running ones have ended
 */
export async function someAtATime<T>(
  items: readonly T[],
  { atATime, signal }: Pace,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (signal.aborted) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}
