import type { DefectReport } from '@nodewright/sandbox';

/** Writes what a handler threw to the output of the server, under the id that the client got. */
export function printDefect({ id, method, path, error }: DefectReport): void {
  const description = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`error: the request ${id} (${method} ${path}) met a defect: ${description}\n`);
}
