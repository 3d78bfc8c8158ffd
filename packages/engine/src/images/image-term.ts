import { parseAge } from '@nodewright/apis';
import type { AmiSelectorTerm } from '@nodewright/apis';
import { followsLatest } from './alias.ts';
import type { ImageQuery } from './image-query.ts';

/** How a selector term chooses among what it found. */
export type ImageTerm =
  /** Named one by one or pinned to a release: taken as it is, whatever its age. */
  | { readonly kind: 'explicit' }
  /** Follows the releases of a family; the newest that has been out for long enough. */
  | { readonly kind: 'latest'; readonly minimumAgeMs: number }
  /** The user's own images; those created long enough ago. */
  | { readonly kind: 'own'; readonly minimumAgeMs: number };

/**
 * How each term chooses. A term without a minimum age takes the default one.
 * @throws ValueError for a minimum age that is none
 */
export const imageTerms = ({ terms, defaultMinimumAge }: ImageQuery): readonly ImageTerm[] =>
  terms.map((term) => imageTerm(term, term.minimumAgeDuration ?? defaultMinimumAge));

function imageTerm(term: AmiSelectorTerm, minimumAge: string | undefined): ImageTerm {
  if (term.id !== undefined) return { kind: 'explicit' };
  if (term.alias !== undefined && !followsLatest(term.alias)) return { kind: 'explicit' };
  const minimumAgeMs = minimumAge === undefined ? 0 : parseAge(minimumAge);
  return { kind: term.alias === undefined ? 'own' : 'latest', minimumAgeMs };
}
