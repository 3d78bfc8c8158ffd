import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@nodewright/apis';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';
import { openDataDirectory } from '../../world/data-directory.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repaired-'));
  state = join(folder, 'state.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A sandbox that has changed three keys, one of them twice. */
function keep(): void {
  const home = openDataDirectory(folder, { fsync: 'always', warn: () => undefined });
  const ledger = home.ledger(() => instant(0), { onProblem: () => undefined });
  const map = ledger.map<number>('m');
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
  ] as const)
    ledger.commit(() => void map.set(key, value));
  home.close();
}

const lines = (): readonly string[] => readFileSync(state, 'utf8').split('\n');
/** Damages a record in the middle of the file: a byte of it is another one. */
function damage(key: string): void {
  const spoiled = lines().map((line) => (line.includes(`"${key}"`) ? line.replace(`"${key}"`, '"x"') : line));
  writeFileSync(state, spoiled.join('\n'));
}
const repair = (...flags: readonly string[]) => type('sandbox', 'repair', folder, ...flags);
const repaired = async (...flags: readonly string[]) =>
  JSON.parse((await repair('-o', 'json', ...flags)).out) as Readonly<Record<string, unknown>>;

describe('a state file', () => {
  test('that is whole needs no repair, and is not touched', async () => {
    keep();
    const before = readFileSync(state);
    const { status, out } = await repair('--write');
    expect({ status, out }).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^all \d+ records can be read; there is nothing to repair$/),
    });
    expect(readFileSync(state)).toEqual(before);
    expect(await repaired()).toMatchObject({ kind: 'StateRepair', state: 'whole', recordsDropped: 0, written: false });
  });

  test('with a damaged record is told of, and changed by --write alone', async () => {
    keep();
    damage('b');
    const before = readFileSync(state);
    const { status, out, err } = await repair();
    expect(status).not.toBe(0);
    expect(out).toMatch(/^RECORD +OFFSET +REASON +KEYS\n/);
    expect(out).toMatch(/to drop, \d+ to keep; a key has the value of its last record that can be read$/);
    expect(err).toContain(`nothing was changed; \`nodewright sandbox repair ${folder} --write\` drops these records`);
    expect(readFileSync(state)).toEqual(before);
  });

  test('is written without the damaged record, beside a copy of what it was', async () => {
    keep();
    damage('b');
    const before = readFileSync(state);
    const { status, out } = await repair('--write');
    expect(status).toBe(0);
    expect(out).toMatch(/1 dropped, \d+ kept; .*\. The file as it was is .*state\.jsonl\.damaged-1$/);
    expect(readFileSync(`${state}.damaged-1`)).toEqual(before);
    expect(await repaired()).toMatchObject({ state: 'whole', recordsDropped: 0 });
    const home = openDataDirectory(folder, { fsync: 'never', warn: () => undefined });
    const map = home.ledger(() => instant(0), { onProblem: () => undefined }).map<number>('m');
    expect(Object.fromEntries(map)).toEqual({ a: 4, c: 3 });
    home.close();
  });

  test('keeps each copy under a name of its own', async () => {
    for (const key of ['b', 'c']) {
      keep();
      damage(key);
      await repair('--write');
    }
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([
      'state.jsonl.damaged-1',
      'state.jsonl.damaged-2',
    ]);
  });

  test('that ends in a torn record says that the next start drops it', async () => {
    keep();
    writeFileSync(state, readFileSync(state).subarray(0, -4));
    const { out, status } = await repair();
    expect(status).toBe(0);
    expect(out).toContain('the next start drops them by itself: they were not acknowledged as written');
    expect(await repaired()).toMatchObject({ state: 'torn', written: false });
  });
});

describe('a repair is refused', () => {
  test('in a directory without a sandbox', async () => {
    const { status, err } = await repair();
    expect(status).toBe(2);
    expect(err).toBe(`error: ${folder} has no state.jsonl; name the directory of a sandbox`);
  });

  test('while a sandbox runs there', async () => {
    keep();
    const server = await new Promise<Server>((resolve) => {
      const listening = createServer().listen(0, '127.0.0.1', () => resolve(listening));
    });
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const identity = { ports: { kubernetes: port, aws: 0, control: 0 } };
    writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(identity));
    const { status, err } = await repair('--write');
    server.close();
    expect(status).toBe(2);
    expect(err).toBe(`error: port ${port} of the sandbox in ${folder} is in use; stop that sandbox first`);
  });
});
