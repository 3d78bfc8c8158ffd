import { mkdirSync, writeFileSync } from 'node:fs';
import { InputError } from './exit-status.ts';
import { explainFileFailure } from './file-failure.ts';

/**
 * Writes what a flag or an argument of that name asked to have in a file.
 * @throws InputError with the name, the path and why, where it cannot be written
 */
export function writeAnswerFile(name: string, path: string, content: string | Uint8Array): void {
  naming(name, path, () => writeFileSync(path, content));
}

/**
 * Makes the folder for several such files, with those above it.
 * @throws InputError as above
 */
export function createAnswerFolder(name: string, path: string): void {
  naming(name, path, () => mkdirSync(path, { recursive: true }));
}

function naming(name: string, path: string, work: () => void): void {
  try {
    work();
  } catch (failure) {
    throw new InputError(`${name} ${path}: ${explainFileFailure(failure)}`, { cause: failure });
  }
}
