import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatPageAddress, type PageLocation } from '../live/page-location.ts';

/** Where the page is, and the time of the cluster. */
export type PageContext = { readonly place: PageLocation; readonly at: string };

export const pageContext = createContext<PageContext>({
  place: { view: 'fleet', query: new URLSearchParams() },
  at: '1970-01-01T00:00:00Z',
});

/** The address of this view with other choices. */
export function useAddress(): (changes: Readonly<Record<string, string>>) => string {
  const { place } = useContext(pageContext);
  return (changes) => formatPageAddress(place, changes);
}
