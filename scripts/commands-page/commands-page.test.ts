import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listCommands } from './list-commands.ts';
import { printCommandsPage } from './print-commands-page.ts';

test('docs/commands.md is what npm run commands-page writes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  expect(printCommandsPage(listCommands())).toBe(page);
});
