import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';

/** Every `aws` on the path: machines may have one of each major version. */
export function installedAwsClis(path = ''): readonly string[] {
  const files = path.split(delimiter).map((folder) => join(folder, 'aws'));
  return [...new Set(files.filter(isExecutable).map((file) => findBehindShim(realpathSync(file))))];
}

/** pyenv has a script in place of each command, which takes as long to begin as the command itself: what the script starts. */
function findBehindShim(file: string): string {
  if (!dirname(file).endsWith(`${sep}shims`)) return file;
  const { status, stdout } = spawnSync('pyenv', ['which', basename(file)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : file;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
