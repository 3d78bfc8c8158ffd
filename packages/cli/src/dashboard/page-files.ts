import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../terminal/exit-status.ts';

/** A file of the page, as it is served. */
export type PageFile = { readonly contentType: string; readonly body: Uint8Array };

/** The files of the page by their paths. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes = [
  ['index.html', 'text/html; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
  ['page.css', 'text/css; charset=utf-8'],
] as const;

/** Beside the chunks of the bundle, and in the folder of the bundle for a start from the sources. */
const places = ['../page/', '../../dist/page/'];

/**
 * Reads the page that the build made.
 * @throws InputError where it is not built
 */
export function readPageFiles(): PageFiles {
  const folder = places
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(new URL('index.html', place)));
  if (folder === undefined) throw new InputError('the page is not built: `npm run build` builds it');
  return new Map(
    contentTypes.map(([name, contentType]) => [
      name === 'index.html' ? '/' : `/${name}`,
      { contentType, body: readFileSync(new URL(name, folder)) },
    ]),
  );
}
