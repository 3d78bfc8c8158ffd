import type { HiddenParts } from '@nodewright/dashboard/rows';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatPageAddress, type PageLocation } from '../live/page-location.ts';

/** Where the page is. It changes when the reader follows a link. */
export const placeContext = createContext<PageLocation>({ view: 'fleet', query: new URLSearchParams() });

/** The time of the cluster. It changes with every reading: whatever does not show it does not ask for it. */
export const clockContext = createContext('1970-01-01T00:00:00Z');

/** Whether the reader may have receivers of notifications tried. */
export const testingContext = createContext(false);

/** What the reader may not see: it is empty on the page, and may not be in the cluster. */
export const hiddenContext = createContext<HiddenParts>({});

/** The address of this view with other choices. */
export function useAddress(): (changes: Readonly<Record<string, string>>) => string {
  const place = useContext(placeContext);
  return (changes) => formatPageAddress(place, changes);
}
