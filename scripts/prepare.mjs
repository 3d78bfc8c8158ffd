// After `npm ci`: build the bundle that the launcher loads. A platform without the bundler's
// native binary still gets a working command, from the sources.
import { spawnSync } from 'node:child_process';

const built = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8', shell: process.platform === 'win32' });
if (built.status !== 0) {
  process.stderr.write('The bundle could not be built; nodewright runs from its sources, a little slower to start.\n');
  process.stderr.write(`${built.stderr ?? ''}${built.error?.message ?? ''}\n`);
}
