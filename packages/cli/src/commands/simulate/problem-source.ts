import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ProblemFile } from '@nodewright/engine';
import { InputError } from '../../terminal/exit-status.ts';
import { explainFileFailure } from '../../terminal/file-failure.ts';
import { problemComplaints, problemFields } from './problem-complaints.ts';
import { withoutNulls } from './without-nulls.ts';

const problemFileEndings = /\.json(\.gz)?$/;

/** The problem files of a folder, sorted by name. */
export const problemFilesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => problemFileEndings.test(name))
    .toSorted()
    .map((name) => join(folder, name));

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The name of a problem: its file's without folder and ending. */
export const problemName = (path: string): string => path.replace(/^.*\//, '').replace(problemFileEndings, '');

/**
 * Reads a `.json` or `.json.gz` problem.
 * @throws InputError when there is no such file, or it holds no problem
 */
export const readProblem = (path: string): ProblemFile => readProblemJson(path, problemFields) as ProblemFile;

/**
 * Reads instance types: a problem, or what a problem has of them.
 * @throws InputError when there is no such file, or it holds none
 */
export const readInstanceTypes = (path: string): Pick<ProblemFile, 'instanceTypes' | 'wellKnownLabels'> =>
  readProblemJson(path, ['instanceTypes']) as ProblemFile;

function readProblemJson(path: string, lists: readonly string[]): unknown {
  try {
    const bytes = readFileSync(path);
    const text = String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    const parsed: unknown = JSON.parse(text);
    const file = text.includes('null') ? withoutNulls(parsed) : parsed;
    const complaints = problemComplaints(file, lists);
    if (complaints.length > 0) throw new Error(firstComplaint(complaints));
    return file;
  } catch (error) {
    const right = error instanceof SyntaxError ? '; a problem is written in JSON, manifests are given with -f' : '';
    throw new InputError(`${path}: ${explainFileFailure(error)}${right}`, {
      cause: error,
    });
  }
}

const mostComplaints = 5;

const firstComplaint = (complaints: readonly string[]): string =>
  [
    ...complaints.slice(0, mostComplaints),
    ...(complaints.length > mostComplaints ? [`and ${complaints.length - mostComplaints} more`] : []),
  ].join('; ');
