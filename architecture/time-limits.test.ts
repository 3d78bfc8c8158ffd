import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const tests = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

test('no test has a time limit of its own: a slow machine is no failure', () => {
  const limited = tests.filter((file) =>
    /^\s*\},\s*[\d_]{4,}\);|\btimeout: [\d_]{4,}|AbortSignal\.timeout\([\d_]+\)|--timeout=\d+s/m.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(limited).toEqual([]);
});
