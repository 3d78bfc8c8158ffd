import { CatalogueSourceError } from './renew-catalogue.ts';

const familyLine = /^[a-z][\w-]*: (amd64|arm64) /;
const fewestFields = 13;

/**
 * The table of a file that `nodewright catalogue import` wrote.
 * @throws CatalogueSourceError for a file that is something else
 */
export function readTypesTable(file: string, text: string): string {
  const [, table = ''] = /`\n([^`]+)\n`/.exec(text) ?? [];
  const lines = table.split('\n');
  const wrong = lines.find((line, at) => !familyLine.test(line) && (at === 0 || line.split(' ').length < fewestFields));
  if (wrong !== undefined)
    throw new CatalogueSourceError(
      `${file}: is no catalogue; write it with nodewright catalogue import --write ${file}`,
    );
  return table;
}
