import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { KubernetesObject } from '@nodewright/apis';
import { listManifestFiles, printFirstScenario } from '@nodewright/scenario-files';
import { parseManifests } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';

const fileName = 'nodewright.scenario.yaml';

/** @throws InputError when there is no NodePool, or a scenario already */
export function writeFirstScenario(this: CliContext, _flags: object, ...paths: string[]): void {
  const named = paths.length === 0 ? ['.'] : paths;
  const missing = named.find((path) => !existsSync(path));
  if (missing !== undefined) throw new InputError(`${missing}: there is no such file or folder`);
  const objects = named.flatMap(filesOfPath).flatMap(objectsOfFile);
  if (!objects.some(({ kind }) => kind === 'NodePool'))
    throw new InputError(`${named.join(', ')}: there is no NodePool; name the files or folders that have yours`);
  const file = join(folderOf(named[0] ?? '.'), fileName);
  if (existsSync(file)) throw new InputError(`${file} is there already, and stays as it is`);
  const given = named.map((path) => relative(dirname(file), path) || '.');
  writeFileSync(file, printFirstScenario(objects, given));
  this.process.stdout.write(`${file} is written. Play it with: nodewright test ${file}\n`);
}

const folderOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));

const filesOfPath = (path: string): readonly string[] =>
  statSync(path).isDirectory() ? listManifestFiles(path) : [path];

/** Files that are no manifests are of no use here; playing the scenario tells of them. */
function objectsOfFile(file: string): readonly KubernetesObject[] {
  try {
    return parseManifests(readFileSync(file, 'utf8'), file);
  } catch {
    return [];
  }
}
