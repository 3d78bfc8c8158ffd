import { byText } from '@nodewright/apis';

/** Every kind that cannot be watched, and why that is so of the last one: whoever lacks rights sees all of them at once. */
export function describeUnwatchedKinds(kinds: ReadonlySet<string>, last: string, why: string): string {
  const names = [...kinds].toSorted(byText).join(', ');
  return `${names} cannot be watched: ${kinds.size > 1 ? `of ${last}, ` : ''}${why}`;
}
