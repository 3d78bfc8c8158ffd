import { byNumberOf } from '@nodewright/apis';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installedAwsClis } from '../../packages/testkit/src/worlds/aws/installed-aws-clis.ts';

const everyOnPath = (name: string): readonly string[] =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter((file) => existsSync(file));

/** Empty where the command does not run. */
const outputOf = (file: string, args: readonly string[]): string => {
  try {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
};

/**
 * Every kubectl of this machine: the one on the PATH, and its siblings of other minor versions
 * (`kubectl.1.28`), oldest first. Empty where there is none.
 */
export const kubectls = (): readonly string[] => (foundKubectls ??= findKubectls());

// Asking a client for its version takes as long as a call: a worker asks once for all its files.
let foundKubectls: readonly string[] | undefined;
let foundClis: readonly AwsCli[] | undefined;

function findKubectls(): readonly string[] {
  const [found] = everyOnPath('kubectl');
  if (found === undefined) return [];
  const folder = dirname(realpathSync(found));
  const siblings = readdirSync(folder)
    .filter((name) => /^kubectl\.1\.\d+$/.test(name))
    .toSorted(byNumberOf((name) => Number(name.split('.')[2])))
    .map((name) => join(folder, name));
  return [...siblings, found].filter((file) => outputOf(file, ['version', '--client']) !== '');
}

/** An aws command of this machine, and what it has to be told beside the environment. */
export type AwsCli = { readonly file: string; readonly version: string };

/** Every major version of the aws command on the PATH, oldest first. */
export const awsClis = (): readonly AwsCli[] => (foundClis ??= findAwsClis());

function findAwsClis(): readonly AwsCli[] {
  const found = installedAwsClis(process.env['PATH']).flatMap((file) => {
    const version = /aws-cli\/(\S+)/.exec(outputOf(file, ['--version']))?.[1];
    return version === undefined ? [] : [{ file, version }];
  });
  const majors = new Map(found.toReversed().map((cli) => [cli.version.split('.')[0], cli]));
  return [...majors.values()].toSorted(byNumberOf(({ version }) => Number.parseInt(version, 10)));
}
