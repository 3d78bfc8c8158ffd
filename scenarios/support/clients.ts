import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

const works = (file: string, args: readonly string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * Every kubectl of this machine: the one on the PATH, and its siblings of other minor versions
 * (`kubectl.1.28`), oldest first. Empty where there is none.
 */
export function kubectls(): readonly string[] {
  const found = onPath('kubectl');
  if (found === undefined) return [];
  const folder = dirname(realpathSync(found));
  const siblings = readdirSync(folder)
    .filter((name) => /^kubectl\.1\.\d+$/.test(name))
    .toSorted((a, b) => Number(a.split('.')[2]) - Number(b.split('.')[2]))
    .map((name) => join(folder, name));
  return [...siblings, found].filter((file) => works(file, ['version', '--client']));
}

/** The aws CLI on the PATH, if it runs. */
export const awsCli = (): string | undefined => {
  const found = onPath('aws');
  return found !== undefined && works(found, ['--version']) ? found : undefined;
};
