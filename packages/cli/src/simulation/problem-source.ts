import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ProblemFile } from '@nodewright/engine';
import { InputError } from '../exit-status.ts';

const endings = /\.json(\.gz)?$/;

/** The problem files of a folder, sorted by name. */
export const problemFilesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => endings.test(name))
    .toSorted()
    .map((name) => join(folder, name));

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The name of a problem: its file's without folder and ending. */
export const problemName = (path: string): string => path.replace(/^.*\//, '').replace(endings, '');

/**
 * Reads a `.json` or `.json.gz` problem.
 * @throws InputError when there is no such file, or it holds no problem
 */
export function readProblem(path: string): ProblemFile {
  try {
    const bytes = readFileSync(path);
    return checked(JSON.parse(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as ProblemFile);
  } catch (error) {
    throw new InputError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function checked(file: ProblemFile): ProblemFile {
  for (const field of ['instanceTypes', 'nodePools', 'pods'] as const) {
    if (!Array.isArray(file[field])) throw new Error(`field ${field} must be a list`);
  }
  return file;
}
