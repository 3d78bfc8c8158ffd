import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CliContext } from '../../terminal/context.ts';
import { exitStatus, InputError } from '../../terminal/exit-status.ts';
import { findPlays } from './find-plays.ts';
import type { IncidentFlags } from './flags.ts';
import { commandOfIncident, fitPlays } from './incident-plays.ts';
import { runOnce } from './run-tests.ts';

export async function runIncidents(this: CliContext, flags: IncidentFlags, ...names: string[]): Promise<void> {
  const library = findLibrary(dirname(fileURLToPath(import.meta.url)));
  const files = names.length === 0 ? [library] : names.map((name) => incidentFile(library, name));
  const { manifests } = flags;
  if (manifests !== undefined && !existsSync(manifests))
    throw new InputError(`--manifests ${manifests}: there is no such file or folder`);
  const plays =
    manifests === undefined
      ? findPlays(files, flags).map((play) => ({ ...play, repeat: commandOfIncident(play) }))
      : fitPlays(files, flags, manifests);
  const hasPassed = await runOnce(this, flags, plays);
  if (!hasPassed) this.process.exitCode = exitStatus.failed;
}

/** The library lies with the examples, in a checkout and in the package. */
function findLibrary(from: string): string {
  const folder = join(from, 'examples', 'incidents');
  if (existsSync(folder)) return relative(process.cwd(), folder) || '.';
  if (dirname(from) === from) throw new Error('the incident library is not there: examples/incidents is missing');
  return findLibrary(dirname(from));
}

function incidentFile(library: string, name: string): string {
  const file = join(library, `${name.toUpperCase()}.yaml`);
  if (existsSync(file)) return file;
  throw new InputError(
    `there is no incident "${name}"; \`nodewright test incidents\` plays all of them, and names them`,
  );
}
