#!/usr/bin/env node
/** Packs the command into one file that installs nothing else: `npm run package [-- --out FOLDER]`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readFlags } from './flags/read-flags.ts';
import { printSize } from './release/print-size.ts';
import { readRelease, readReleaseFiles } from './release/release-files.ts';

const root = join(import.meta.dirname, '..');
const values = readFlags(
  { command: 'npm run package --', brief: 'Packs the command into one file that installs nothing else.' },
  { out: { value: 'FOLDER', default: '.', brief: 'where the file is written' } },
);
const out = resolve(root, values.out);
const stage = mkdtempSync(join(tmpdir(), 'nodewright-package-'));
try {
  const release = readRelease(root);
  for (const [path, bytes] of readReleaseFiles(root, release)) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    writeFileSync(join(stage, path), bytes, { mode: path.startsWith('bin/') ? 0o755 : 0o644 });
  }
  mkdirSync(out, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: stage, encoding: 'utf8' });
  const file = join(out, packed.trim());
  console.log(`package nodewright ${release.version} for npm, ${printSize(statSync(file).size)}\n${file}`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
