import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What a version of the site lacks: files and places that its pages lead to, or that they load from another server. */
export function findDeadLinks(folder: string, base: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const places = new Map<string, ReadonlySet<string>>();
  const placesOf = (file: string): ReadonlySet<string> => {
    const known =
      places.get(file) ?? new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
    places.set(file, known);
    return known;
  };
  const faultOf = (page: string, address: string): string | undefined => {
    const { pathname, hash } = new URL(address, `http://site${base}${page}`);
    if (!pathname.startsWith(base)) return `${page}: ${address} leaves the site`;
    const file = fileOf(folder, decodeURIComponent(pathname.slice(base.length)));
    if (file === undefined) return `${page}: ${address} leads to no file`;
    const place = decodeURIComponent(hash.slice(1));
    return place === '' || placesOf(file).has(place) ? undefined : `${page}: ${address} leads to no heading`;
  };
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    const followed = [...text.matchAll(/<(a|link|script|img)\s[^>]*?(?:href|src)="([^"]*)"/g)];
    return followed.flatMap(([, element = '', address = '']) => {
      if (!/^(?:[a-z]+:|\/\/)/.test(address)) return faultOf(page, address.replaceAll('&amp;', '&')) ?? [];
      return element === 'a' || address.startsWith('data:') ? [] : [`${page}: ${address} is loaded from elsewhere`];
    });
  });
}

/** A plain file server gives `index.html` for a folder. */
function fileOf(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  if (!existsSync(file)) return undefined;
  if (!statSync(file).isDirectory()) return file;
  return existsSync(join(file, 'index.html')) ? posix.join(file, 'index.html') : undefined;
}
