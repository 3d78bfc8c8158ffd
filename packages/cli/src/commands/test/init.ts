import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { KubernetesObject } from '@nodewright/apis';
import { listKustomizePatches, listManifestFiles, printFirstScenario } from '@nodewright/scenario-files';
import { ManifestError, parseManifests } from '@nodewright/runtime';
import { writeAnswerFile } from '../../terminal/answer-file.ts';
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
  const found = named.flatMap(filesOfPath).map(readFoundFile);
  const objects = found.flatMap((each) => each.objects);
  refuseWithoutPools(objects, {
    where: named.join(', '),
    template: found.find(({ isTemplate }) => isTemplate)?.file,
  });
  const file = join(folderOf(named[0] ?? '.'), fileName);
  if (existsSync(file)) throw new InputError(`${file} is there already, and stays as it is`);
  const given = named.map((path) => (path === standardInput ? path : relative(dirname(file), path) || '.'));
  writeAnswerFile('the scenario', file, printFirstScenario(objects, given));
  const piped = named.includes(standardInput) ? 'COMMAND | ' : '';
  this.process.stdout.write(`${file} is written. Play it with: ${piped}nodewright test ${file}\n`);
}

function refuseWithoutPools(
  objects: readonly KubernetesObject[],
  { where, template }: { readonly where: string; readonly template: string | undefined },
): void {
  if (objects.some(({ kind }) => kind === 'NodePool')) return;
  const old = objects.find(({ kind }) => kind === 'Provisioner');
  if (old !== undefined)
    throw new InputError(
      `${where}: there is no NodePool, and Provisioner ${old.metadata.name} is of before v1beta1; ` +
        'nodewright convert -f makes a NodePool and an EC2NodeClass of it',
    );
  throw new InputError(
    template === undefined
      ? `${where}: there is no NodePool; name the files or folders that have yours`
      : `${where}: there is no NodePool, and ${template} is a Helm template that is not rendered: helm template CHART | nodewright test init -`,
  );
}

const folderOf = (path: string): string =>
  path === standardInput || statSync(path).isDirectory() ? path.replace(/^-$/, '.') : dirname(path);

type FoundFile = { readonly file: string; readonly isNamed: boolean };

function filesOfPath(path: string): readonly FoundFile[] {
  if (path === standardInput || !statSync(path).isDirectory()) return [{ file: path, isNamed: true }];
  const files = listManifestFiles(path);
  const patches = listKustomizePatches(files.map((file) => resolve(file)));
  return files.filter((file) => !patches.has(resolve(file))).map((file) => ({ file, isNamed: false }));
}

/**
 * Files of a folder that are no manifests are of no use here; playing the scenario tells of them.
 * @throws InputError for a file that is named and is no manifest
 */
function readFoundFile({ file, isNamed }: FoundFile): {
  readonly file: string;
  readonly objects: readonly KubernetesObject[];
  readonly isTemplate: boolean;
} {
  try {
    const source = file === standardInput ? 'standard input' : file;
    const objects = parseManifests(readFileSync(file === standardInput ? 0 : file, 'utf8'), source);
    return { file, objects: objects.filter(({ metadata }) => metadata !== undefined), isTemplate: false };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    if (isNamed) throw new InputError(error.message, { cause: error });
    return { file, objects: [], isTemplate: error.kind === 'template' };
  }
}
