import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsClis, kubectls } from './support/clients.ts';
import { openPageShell, type PageShell } from './support/page-shell.ts';
import { type RunningSandbox, startSandbox } from './support/running-sandbox.ts';
import { differsFromPage, readPageSteps } from './support/walkthrough-page.ts';

const folder = join(import.meta.dirname, '../docs/walkthroughs');
const [aws] = awsClis().slice(-1);
const [kubectl] = kubectls().slice(-1);
const clients = kubectl === undefined || aws === undefined ? undefined : { kubectl, aws };

if (clients === undefined) {
  test('the pages of docs/walkthroughs', (context) => context.skip('needs kubectl and aws on the PATH'));
}

for (const file of readdirSync(folder)) {
  const [start, ...steps] = readPageSteps(readFileSync(join(folder, file), 'utf8'));
  const flags = start?.commands.trim().split(/\s+/) ?? [];

  test(`${file} begins with the start of its scenario`, () => {
    expect(flags.slice(0, 4)).toEqual(['node_modules/.bin/nodewright', 'sandbox', '--scenario', basename(file, '.md')]);
  });

  describe.skipIf(clients === undefined)(`${file}, typed from top to bottom`, () => {
    let sandbox: RunningSandbox;
    let shell: PageShell;
    beforeAll(async () => {
      sandbox = await startSandbox(...flags.slice(2));
      if (clients !== undefined) shell = openPageShell(sandbox, clients);
    });
    afterAll(async () => {
      await sandbox.stop();
    });

    for (const [at, { commands, shown, status }] of steps.entries()) {
      test(`${at + 1}: ${commands.trim()}`, async () => {
        const answer = await shell.type(commands);
        if (shown !== undefined && differsFromPage(shown, answer.stdout)) expect(answer.stdout).toBe(shown);
        expect(answer, answer.stdout).toMatchObject({ status });
      });
    }
  });
}
