import { classifyError, isEndpointError } from '../calls/error-codes.ts';

export type PartFailure = {
  readonly error: unknown;
  /** The error names the id, or came for the id alone. Otherwise another id of its part may be the cause. */
  readonly isOwn: boolean;
};

/** The ids whose part of a batch failed. */
export type Failures = ReadonlyMap<string, PartFailure>;

type Ask = (ids: readonly string[]) => Promise<unknown>;
type Failed = { readonly ids: readonly string[]; readonly error: unknown };

/** Enough calls to find one id among many by halves: twice the logarithm, and the first call. */
export const mostCalls = (size: number): number => 1 + 2 * Math.ceil(Math.log2(Math.max(1, size)));

/**
 * Asks for all ids in one call. When the call fails, the ids that its error names are set aside and the others are
 * asked for again; an id that fails without being named is found by halves.
 *
 * Guarantees: an id fails with an error that names it, with one that it got alone, or, when the calls are used up
 * (`mostCalls`), with the error of the last part that it was in. A throttled call, and an endpoint that is not reached, are not
 * divided. After an error of the service two halves are tried, and nothing more when both fail.
 */
export async function askInParts(ids: readonly string[], ask: Ask): Promise<Failures> {
  const failures = new Map<string, PartFailure>();
  let callsLeft = mostCalls(ids.length);

  const askFor = async (part: readonly string[]): Promise<Failed | undefined> => {
    callsLeft -= 1;
    try {
      await ask(part);
      return undefined;
    } catch (error) {
      return { ids: part, error };
    }
  };

  const divide = async (failed: Failed): Promise<void> => {
    const parts = callsLeft > 0 ? partsToAsk(failed) : [];
    const asked = new Set(parts.flat());
    for (const id of failed.ids) if (!asked.has(id)) failures.set(id, buildPartFailure(id, failed));
    const again: Failed[] = [];
    for (const part of parts) {
      const outcome = callsLeft > 0 ? await askFor(part) : { ids: part, error: failed.error };
      if (outcome !== undefined) again.push(outcome);
    }
    const isOut = again.length > 1 && again.every(({ error }) => isEndpointError(error));
    for (const part of again) {
      if (isOut) for (const id of part.ids) failures.set(id, buildPartFailure(id, part));
      else await divide(part);
    }
  };

  const first = await askFor(ids);
  if (first !== undefined) await divide(first);
  return failures;
}

const buildPartFailure = (id: string, { ids, error }: Failed): PartFailure => ({
  error,
  isOwn: ids.length === 1 || namedIn(error).has(id),
});

/** What is worth another call after a failure. */
function partsToAsk({ ids, error }: Failed): readonly (readonly string[])[] {
  if (ids.length === 1 || (isEndpointError(error) && classifyError(error) !== 'serviceError')) return [];
  const named = namedIn(error);
  const others = ids.filter((id) => !named.has(id));
  if (others.length < ids.length) return others.length === 0 ? [] : [others];
  const middle = Math.ceil(ids.length / 2);
  return [ids.slice(0, middle), ids.slice(middle)];
}

/** The words of the message: `i-0a` is not named by `i-0ab`. */
const namedIn = (error: unknown): ReadonlySet<string> =>
  new Set(error instanceof Error ? error.message.split(/[^\w-]+/) : []);
