import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type KeptState, LineLedger, readLedger } from '@nodewright/runtime';
import { InputError } from '../exit-status.ts';
import type { Identity, SandboxHome } from './sandbox-home.ts';
import { StateFile } from './state/state-file.ts';
import { writeWhole } from './write-whole.ts';

/**
 * A home that outlives the process: who the sandbox is in `sandbox.json`, what happened in `state.jsonl`.
 * That nobody else lives there is told by the ports, which are those of before.
 * @throws InputError when the directory, or what is in it, cannot be read and written
 */
export function openDataDirectory(directory: string): SandboxHome {
  const folder = resolve(directory);
  const files = {
    identity: join(folder, 'sandbox.json'),
    state: join(folder, 'state.jsonl'),
  };
  const kept = orRefuse(directory, () => {
    makeFolder(folder);
    return { identity: readIdentity(files.identity), state: readState(files.state) };
  });
  let file: StateFile | undefined;
  return {
    folder,
    ...(kept.identity !== undefined && { identity: kept.identity }),
    ...(kept.state.last !== undefined && { last: kept.state.last }),
    remember: (identity) => writeWhole(files.identity, `${JSON.stringify(identity, null, 2)}\n`),
    ledger(now) {
      const ledger = new LineLedger({ kept: kept.state, now, append: (line) => file?.append(line) });
      file = new StateFile(files.state, () => ledger.lines());
      return ledger;
    },
    close() {
      file?.close();
    },
  };
}

/** Not by `recursive`: below /proc and its like that never returns. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no directory`);
    return;
  }
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function orRefuse<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (failure) {
    const because = (failure as Error).message;
    throw new InputError(
      `--data-dir ${directory}: ${because}; name an empty directory, or one of a sandbox, that this user can read and write`,
      {
        cause: failure,
      },
    );
  }
}

function readIdentity(file: string): Identity | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Identity;
  } catch (failure) {
    throw new Error(`sandbox.json is damaged: ${(failure as Error).message}`, { cause: failure });
  }
}

function readState(file: string): KeptState {
  if (!existsSync(file)) return { maps: new Map() };
  const lines = readFileSync(file, 'utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  try {
    return readLedger(lines);
  } catch (failure) {
    throw new Error(`state.jsonl is damaged: ${(failure as Error).message}`, { cause: failure });
  }
}
