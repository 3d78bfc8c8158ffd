import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { problemFrom, type ProblemFile, type SchedulingProblem } from '@nodewright/engine';

/** A problem in the interchange format, compressed if its name ends with `.gz`. */
export function readProblem(path: string): SchedulingProblem {
  const bytes = readFileSync(path);
  return problemFrom(JSON.parse(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as ProblemFile);
}
