/**
 * What a failure says about trying again: `soon` because another writer was faster, `backOff`
 * because something is not well, `afterSpecChange` because the same input fails again.
 */
export type RetryClass = 'soon' | 'backOff' | 'afterSpecChange';

const retryClasses: ReadonlySet<unknown> = new Set<RetryClass>(['soon', 'backOff', 'afterSpecChange']);

/** Errors say it themselves in `retry`; all others back off. */
export function retryClassOf(error: unknown): RetryClass {
  const stated: unknown = error instanceof Error && 'retry' in error ? error.retry : undefined;
  return retryClasses.has(stated) ? (stated as RetryClass) : 'backOff';
}
