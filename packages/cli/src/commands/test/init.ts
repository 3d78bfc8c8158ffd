import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { KubernetesObject } from '@nodewright/apis';
import { listManifestFiles, printFirstScenario } from '@nodewright/scenario-files';
import { parseManifests } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';

const fileName = 'nodewright.scenario.yaml';

const standardInput = '-';

/**
 * Writes a first scenario beside the manifests, or into this folder for manifests on standard input (`-`).
 * @throws InputError when there is no NodePool, or a scenario already
 */
export function writeFirstScenario(this: CliContext, _flags: object, ...paths: string[]): void {
  const named = paths.length === 0 ? ['.'] : paths;
  const missing = named.find((path) => path !== standardInput && !existsSync(path));
  if (missing !== undefined) throw new InputError(`${missing}: there is no such file or folder`);
  const objects = named.flatMap(filesOfPath).flatMap(objectsOfFile);
  refuseWithoutPools(objects, named.join(', '));
  const file = join(folderOf(named[0] ?? '.'), fileName);
  if (existsSync(file)) throw new InputError(`${file} is there already, and stays as it is`);
  const given = named.map((path) => (path === standardInput ? path : relative(dirname(file), path) || '.'));
  writeFileSync(file, printFirstScenario(objects, given));
  const piped = named.includes(standardInput) ? 'COMMAND | ' : '';
  this.process.stdout.write(`${file} is written. Play it with: ${piped}nodewright test ${file}\n`);
}

function refuseWithoutPools(objects: readonly KubernetesObject[], where: string): void {
  if (objects.some(({ kind }) => kind === 'NodePool')) return;
  const old = objects.find(({ kind }) => kind === 'Provisioner');
  if (old === undefined)
    throw new InputError(`${where}: there is no NodePool; name the files or folders that have yours`);
  throw new InputError(
    `${where}: there is no NodePool, and Provisioner ${old.metadata.name} is of before v1beta1; ` +
      'nodewright convert -f makes a NodePool and an EC2NodeClass of it',
  );
}

const folderOf = (path: string): string =>
  path === standardInput || statSync(path).isDirectory() ? path.replace(/^-$/, '.') : dirname(path);

const filesOfPath = (path: string): readonly string[] =>
  path !== standardInput && statSync(path).isDirectory() ? listManifestFiles(path) : [path];

/** Files that are no manifests are of no use here; playing the scenario tells of them. */
function objectsOfFile(file: string): readonly KubernetesObject[] {
  try {
    return parseManifests(readFileSync(file === standardInput ? 0 : file, 'utf8'), file);
  } catch {
    return [];
  }
}
