import { readFileSync } from 'node:fs';
import { CatalogueSourceError, importCurrentTypes, readTypesTable } from '@nodewright/aws-endpoints';

/**
 * Lets the process sell the instance types of a file of `nodewright catalogue import`.
 * @returns what is wrong about the file
 */
export function takeCatalogueFile(file: string): string | undefined {
  try {
    importCurrentTypes(readTypesTable(file, readFileSync(file, 'utf8')));
    return undefined;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code !== undefined;
    if (!isMissing && !(error instanceof CatalogueSourceError)) throw error;
    return `NODEWRIGHT_CATALOGUE: ${(error as Error).message}`;
  }
}
