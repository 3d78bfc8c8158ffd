import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StateReading } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { type OutputFormat, writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';
import { filesIn } from '../../world/data-directory.ts';
import { isListening } from '../../world/is-listening.ts';
import { readPorts } from '../../world/read-ports.ts';
import { nodeFileSystem } from '../../world/state/file-system.ts';
import { repairStateFile } from '../../world/state/repair-state-file.ts';
import { readStateFile } from '../../world/state/state-lines.ts';

type Flags = { readonly write: boolean; readonly output?: OutputFormat };

/** Tells which records of a state file cannot be read; with `--write` drops them. */
export async function repairSandbox(this: CliContext, { write, output }: Flags, directory: string): Promise<void> {
  const files = filesIn(resolve(directory));
  if (!existsSync(files.state))
    throw new InputError(`${directory} has no state.jsonl; name the directory of a sandbox`);
  await refuseRunning(directory, files.identity);
  const reading = readStateFile(nodeFileSystem, files.state);
  const isWhole = reading.kind === 'whole';
  const copy = write && !isWhole ? repairStateFile(nodeFileSystem, files.state, reading) : undefined;
  writeAnswer(this, output, { object: repairOf(files.state, reading, copy), text: textOf(reading, copy) });
  if (reading.kind === 'damaged' && !write)
    throw new NotNowError(
      `nothing was changed; \`nodewright sandbox repair ${directory} --write\` drops these records`,
    );
}

/** It would go on writing to the file that is replaced. */
async function refuseRunning(directory: string, identity: string): Promise<void> {
  for (const port of readPorts(identity)) {
    if (await isListening(port))
      throw new InputError(`port ${port} of the sandbox in ${directory} is in use; stop that sandbox first`);
  }
}

const repairOf = (file: string, reading: StateReading, copy: string | undefined) => ({
  kind: 'StateRepair',
  file,
  state: reading.kind,
  recordsKept: reading.records,
  recordsDropped: droppedBy(reading),
  damaged: reading.kind === 'whole' ? [] : reading.damaged,
  written: copy !== undefined,
  ...(copy !== undefined && { copy }),
});

const droppedBy = (reading: StateReading): number => {
  if (reading.kind === 'whole') return 0;
  if (reading.kind === 'unsynced') return reading.lost;
  return reading.damaged.filter(({ reason }) => reason !== 'missing').length;
};

function textOf(reading: StateReading, copy: string | undefined): string {
  if (reading.kind === 'whole') return `all ${reading.records} records can be read; there is nothing to repair`;
  const rows = reading.damaged.map(({ number, offset, reason, keys }) => [
    String(number),
    String(offset),
    reason,
    keys.join(', ') || 'unknown',
  ]);
  const table = printTable(['RECORD', 'OFFSET', 'REASON', 'KEYS'], rows);
  return `${table}\n${summarizeRepair(reading, copy)}`;
}

function summarizeRepair(reading: StateReading, copy: string | undefined): string {
  const [dropped, kept] = [droppedBy(reading), reading.records];
  const why =
    reading.kind === 'damaged'
      ? 'a key has the value of its last record that can be read'
      : 'the next start drops them by itself: they were not acknowledged as written';
  if (copy === undefined) return `${dropped} to drop, ${kept} to keep; ${why}`;
  return `${dropped} dropped, ${kept} kept; ${why}. The file as it was is ${copy}`;
}
