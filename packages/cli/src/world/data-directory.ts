import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LineLedger, type StateReading } from '@nodewright/runtime';
import { InputError } from '../terminal/exit-status.ts';
import type { Identity, SandboxHome } from './sandbox-home.ts';
import { describeDamage } from './state/describe-damage.ts';
import { nodeFileSystem } from './state/file-system.ts';
import { replaceText } from './state/replace-file.ts';
import { type FsyncPolicy, StateFile } from './state/state-file.ts';
import { readStateFile } from './state/state-lines.ts';
import { isFull } from './state/storage-problem.ts';

/** The files of a data directory: who the sandbox is, and what happened. */
export const filesIn = (folder: string) => ({
  identity: join(folder, 'sandbox.json'),
  state: join(folder, 'state.jsonl'),
});

const tickMs = 1000;

export type DataDirectoryOptions = {
  readonly fsync: FsyncPolicy;
  /** Told what a start had to leave behind. */
  readonly warn: (message: string) => void;
};

/**
 * A home that outlives the process: who the sandbox is in `sandbox.json`, what happened in `state.jsonl`.
 * The ports tell whether another sandbox uses the directory: they are the ports of the last start.
 * @throws InputError when the directory, or what is in it, cannot be read and written
 */
export function openDataDirectory(directory: string, { fsync, warn }: DataDirectoryOptions): SandboxHome {
  const folder = resolve(directory);
  const files = filesIn(folder);
  const kept = orRefuse(directory, () => {
    makeFolder(folder);
    return { identity: readIdentity(files.identity), reading: readKept(files.state, directory) };
  });
  const { state } = kept.reading;
  let end = (): void => undefined;
  return {
    folder,
    ...(kept.identity !== undefined && { identity: kept.identity }),
    ...(state.last !== undefined && { last: state.last }),
    remember: (identity) =>
      orNameRemedy(directory, () => replaceText(files.identity, `${JSON.stringify(identity, null, 2)}\n`)),
    ledger(now, { onProblem }) {
      const all = (): Iterable<string> => ledger.lines();
      const file = new StateFile({ path: files.state, all, fsync, onProblem });
      const ledger: LineLedger = new LineLedger({ kept: state, now, journal: file });
      orNameRemedy(directory, () => file.start());
      tellLoss(kept.reading, warn);
      end = keepGoing(file, warn);
      return ledger;
    },
    close: () => end(),
  };
}

/** @returns the way to stop */
function keepGoing(file: StateFile, warn: DataDirectoryOptions['warn']): () => void {
  const timer = setInterval(() => void file.tick(), tickMs).unref();
  return () => {
    clearInterval(timer);
    const problem = file.close();
    if (problem !== undefined) warn(`what happened last may be missing after the next start: ${problem.message}`);
  };
}

function tellLoss(reading: StateReading, warn: DataDirectoryOptions['warn']): void {
  if (reading.kind === 'unsynced')
    warn(
      `state.jsonl: the last ${reading.lost} changes did not reach the disk before the power was lost; the sandbox goes on from before them. With --fsync always that cannot happen`,
    );
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
    if (failure instanceof DamagedStateError)
      throw new InputError(`--data-dir ${directory}: ${failure.message}`, { cause: failure });
    const because = (failure as Error).message;
    throw new InputError(
      `--data-dir ${directory}: ${because}; name an empty directory, or one of a sandbox, that this user can read and write`,
      {
        cause: failure,
      },
    );
  }
}

/** A start that cannot write changes nothing. */
function orNameRemedy(directory: string, write: () => void): void {
  try {
    write();
  } catch (failure) {
    const { message } = failure as Error;
    const remedy = isFull(failure) ? 'free some megabytes on its disk' : 'look after its disk';
    throw new Error(
      `--data-dir ${directory}: ${message}; ${remedy}, then start again. What was kept there is unchanged`,
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

/** A state file with records that were kept and cannot be read. */
class DamagedStateError extends Error {
  override readonly name = 'DamagedStateError';
}

function readKept(file: string, directory: string): StateReading {
  const reading = readStateFile(nodeFileSystem, file);
  if (reading.kind !== 'damaged') return reading;
  const [first, ...others] = reading.damaged;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  throw new DamagedStateError(
    `state.jsonl is damaged: ${first === undefined ? '' : describeDamage(first)}${more}. See what can be kept with \`nodewright sandbox repair ${directory}\``,
  );
}
