// Builds the bundle. The report of the bundler is shown only when it fails.
import { spawnSync } from 'node:child_process';

const built = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8', shell: process.platform === 'win32' });
if (built.status !== 0) {
  process.stderr.write(`${built.stdout ?? ''}${built.stderr ?? ''}${built.error?.message ?? ''}\n`);
  process.stderr.write('The bundle could not be built.\n');
  process.exitCode = 1;
}
