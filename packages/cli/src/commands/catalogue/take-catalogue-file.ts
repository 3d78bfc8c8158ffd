import { readFileSync } from 'node:fs';
import { CatalogueSourceError, importCurrentTypes, readTypesTable } from '@nodewright/aws-endpoints';
import { explainFileFailure } from '../../terminal/file-failure.ts';

/**
 * Lets the process sell the instance types of a file of `nodewright catalogue import`.
 * @returns what is wrong about the file
 */
export function takeCatalogueFile(file: string): string | undefined {
  try {
    importCurrentTypes(readTypesTable(file, readFileSync(file, 'utf8')));
    return undefined;
  } catch (error) {
    if (error instanceof CatalogueSourceError) return `NODEWRIGHT_CATALOGUE: ${error.message}`;
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return `NODEWRIGHT_CATALOGUE: ${file}: ${explainFileFailure(error)}`;
  }
}
