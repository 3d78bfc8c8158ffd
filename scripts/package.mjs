#!/usr/bin/env node
// Packs the command into one file that installs nothing else: `npm run package [-- --out FOLDER]`.
// The file holds the built bundle, its launcher, the examples, the licences and a package.json without dependencies.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: root } } });
const out = resolve(values.out);

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { description, license, engines } = read('package.json');
const { version } = read('packages/cli/package.json');

/** Names, versions and licences of the packages whose code may be in the bundle, with the texts that they come with. */
function thirdPartyLicenses() {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspace', 'packages/cli'];
  const folders = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((folder) => folder.includes('node_modules') && !folder.includes('@nodewright'));
  return [...new Set(folders)].map((folder) => {
    const { name, version: its, license: terms } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${its} (${terms})`, ...texts].join('\n\n');
  });
}

const stage = mkdtempSync(join(tmpdir(), 'nodewright-package-'));
try {
  cpSync(join(root, 'packages/cli/bin'), join(stage, 'bin'), { recursive: true });
  cpSync(join(root, 'packages/cli/dist'), join(stage, 'dist'), { recursive: true });
  cpSync(join(root, 'examples'), join(stage, 'examples'), { recursive: true });
  for (const paper of ['LICENSE', 'README.md']) cpSync(join(root, paper), join(stage, paper));
  writeFileSync(join(stage, 'THIRD_PARTY_LICENSES'), thirdPartyLicenses().join(`\n\n${'-'.repeat(80)}\n\n`));
  const manifest = { name: 'nodewright', version, description, license, type: 'module', engines };
  writeFileSync(
    join(stage, 'package.json'),
    `${JSON.stringify({ ...manifest, bin: { 'kubectl-nodewright': 'bin/nodewright.mjs', nodewright: 'bin/nodewright.mjs' } }, undefined, 2)}\n`,
  );
  mkdirSync(out, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: stage, encoding: 'utf8' });
  console.log(join(out, packed.trim()));
} finally {
  rmSync(stage, { recursive: true, force: true });
}
