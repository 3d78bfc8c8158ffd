import { readFileSync } from 'node:fs';
import { yamlComplaint } from '@nodewright/apis';
import { parseAllDocuments, parseDocument } from 'yaml';
import { InputError } from '../../terminal/exit-status.ts';
import { explainFileFailure } from '../../terminal/file-failure.ts';

/**
 * What a file of values says: YAML 1.1 as kubectl and Helm read it, or JSON.
 * @throws InputError for a file that cannot be read, with the place of the first mistake
 */
export function readValuesFile(path: string, source: string): unknown {
  const text = readValuesText(path, source);
  const complaint = yamlComplaint(text);
  if (complaint !== undefined) throw new InputError(`${source}: ${complaint}`);
  const documents = parseAllDocuments(text, { version: '1.1' });
  if (documents.length > 1) throw new InputError(`${source}: has ${documents.length} documents, values are one`);
  const document = parseDocument(text, { version: '1.1' });
  const [mistake] = document.errors;
  if (mistake !== undefined) throw new InputError(`${source}: ${mistake.message.split('\n')[0] ?? ''}`);
  return document.toJS() as unknown;
}

function readValuesText(path: string, source: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (failure) {
    throw new InputError(`${source}: ${explainFileFailure(failure)}`, { cause: failure });
  }
}
