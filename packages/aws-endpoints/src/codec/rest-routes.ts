import { byText, writeOwn } from '@nodewright/apis';
import type { HttpRoute } from './shape.ts';

export type PathLabels = Readonly<Record<string, string>>;

/** What the path's labels say when a request fits the route: `/clusters/{name}/updates/{updateId}`. */
export function matchRoute(route: HttpRoute, method: string, path: string): PathLabels | undefined {
  if (route.method !== method) return undefined;
  const wanted = route.path.split('?', 1).join('').split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const labels: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const value = given[at] ?? '';
    const label = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (label === undefined && segment !== value) return undefined;
    if (label !== undefined && value === '') return undefined;
    if (label !== undefined) writeOwn(labels, label, decodeSegment(value));
  }
  return labels;
}

/** An escape that is none stays as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Routes with fewer labels first, so that `/clusters/registrations` is not taken for a cluster. */
export const moreLiteralFirst = (a: HttpRoute, b: HttpRoute): number =>
  labelCount(a) - labelCount(b) || byText(a.path, b.path);

const labelCount = (route: HttpRoute): number => route.path.split('{').length;
