import { instant } from '@nodewright/apis';
import {
  type Journal,
  type KeptState,
  LineLedger,
  readState,
  type StateLine,
  StorageError,
  type StorageProblem,
  writeRecord,
} from '@nodewright/runtime';

/** A journal whose records, one line each, stay in memory. While it has a `trouble`, it keeps nothing. */
export class MemoryJournal implements Journal {
  readonly lines: string[];
  trouble: StorageProblem | undefined;
  /** Fails one append without a problem that is known before. */
  failsNext = false;

  constructor(lines: readonly string[] = []) {
    this.lines = [...lines];
  }

  append(changes: readonly string[]): void {
    const trouble = this.trouble ?? (this.failsNext ? fullDisk : undefined);
    this.failsNext = false;
    if (trouble !== undefined) throw new StorageError(trouble);
    const record = writeRecord({ sequence: this.lines.length + 1, synced: 0, changes });
    this.lines.push(Buffer.from(record).toString('utf8').trimEnd());
  }

  appendAnyway(change: string): void {
    if (this.trouble === undefined) this.append([change]);
    else this.trouble = { ...this.trouble, isReadable: false };
  }

  problem(): StorageProblem | undefined {
    return this.trouble;
  }
}

export const fullDisk: StorageProblem = { kind: 'full', message: 'the disk is full', isReadable: true };

/** What the lines of a journal come to. */
export const keptIn = (lines: readonly string[]): KeptState => readState(stateLines(lines)).state;

/** Texts as the lines of a file. */
export function* stateLines(lines: readonly string[]): Generator<StateLine> {
  let offset = 0;
  for (const line of lines) {
    const bytes = Buffer.from(line);
    yield { offset, bytes };
    offset += bytes.length + 1;
  }
}

/** A ledger over such a journal, and the way to let its storage fail. */
export function aFailingLedger(): { readonly ledger: LineLedger; readonly journal: MemoryJournal } {
  const journal = new MemoryJournal();
  return { ledger: new LineLedger({ kept: keptIn([]), now: () => instant(0), journal }), journal };
}
