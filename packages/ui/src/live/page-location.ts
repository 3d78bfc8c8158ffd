import { useEffect, useState } from 'preact/hooks';

/** The views, by their paths. */
export const pageViews = [
  ['fleet', 'Fleet'],
  ['rollouts', 'Rollouts'],
  ['blockers', 'Blockers'],
  ['pods', 'Waiting pods'],
  ['images', 'Images'],
  ['money', 'Money'],
  ['history', 'History'],
] as const;

export type PageView = (typeof pageViews)[number][0];

/** What the address of the page says: the view, its choices, and what is explained beside it. */
export type PageLocation = { readonly view: PageView; readonly query: URLSearchParams };

export function parseLocation(path: string, search: string): PageLocation {
  const name = path.replace('/', '');
  const view = pageViews.find(([each]) => each === name)?.[0] ?? 'fleet';
  return { view, query: new URLSearchParams(search) };
}

/** An address with other choices; those that are not named stay, those that are empty go. */
export function formatPageAddress({ view, query }: PageLocation, changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  // Slashes are allowed in a query, and an address with them can be read.
  const search = next.toString().replaceAll('%2F', '/');
  return `/${view}${search === '' ? '' : `?${search}`}`;
}

/** The addresses of explanations beside a view, for a view with thousands of links: its own address is written once. */
export function createExplainAddresses(place: PageLocation): (path: string) => string {
  const own = formatPageAddress(place, { explain: '' });
  const begin = `${own}${own.includes('?') ? '&' : '?'}explain=`;
  return (path) => begin + encodeURIComponent(path).replaceAll('%2F', '/');
}

const readLocation = (): PageLocation => parseLocation(location.pathname, location.search);

const movedEventName = 'nodewright-moved';

/** Goes to an address of the page without loading it again. */
export function goToAddress(address: string): void {
  history.pushState(undefined, '', address);
  dispatchEvent(new Event(movedEventName));
}

/** Has the address of the page say what is chosen now: the way back leads to where the reader was before. */
export function replaceAddress(address: string): void {
  history.replaceState(undefined, '', address);
  dispatchEvent(new Event(movedEventName));
}

/** Follows links, and the buttons of the browser. */
export function usePageLocation(): PageLocation {
  const [place, setPlace] = useState(readLocation);
  useEffect(() => {
    const follow = (): void => setPlace(readLocation());
    addEventListener('popstate', follow);
    addEventListener(movedEventName, follow);
    return () => {
      removeEventListener('popstate', follow);
      removeEventListener(movedEventName, follow);
    };
  }, []);
  return place;
}

/** Opens links of the page in place; those with a key held down are left to the browser. */
export function followLink(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (target === null || !isPlain || event.defaultPrevented) return;
  event.preventDefault();
  goToAddress(target.getAttribute('href') ?? '/');
}
