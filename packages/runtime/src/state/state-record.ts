import { crc32 } from 'node:zlib';
import { parseWithDates, readChange, type StateChange } from './state-change.ts';

/** What one line of a state file says. */
export type StateRecord = {
  /** Counts from 1 in each file; `undefined` in the format before checksums. */
  readonly sequence?: number;
  /** How many bytes of the file were certainly on the disk when the record was written. */
  readonly synced: number;
  readonly changes: readonly StateChange[];
};

type Written = {
  readonly sequence: number;
  readonly synced: number;
  /** As `writeChange` writes them. */
  readonly changes: readonly string[];
};

const formatName = 'nodewright state';
const formatVersion = 2;

/** The first record of a file says which format follows. */
export const formatRecord = (): Uint8Array =>
  writeRecord({ sequence: 1, synced: 0, changes: [JSON.stringify(`${formatName} ${formatVersion}`)] });

/** Where the checksum of a line stands, and where the part begins that it is of. */
const checksum = { begin: 2, end: 10, bodyFrom: 11 } as const;

/**
 * One line of a state file with its newline: `["2f1ab7c3",17,4096,[1706457600000,"ec2/instances","i-0123",{...}],...]`.
 * That is a CRC-32 of all that follows its closing quote, the sequence number, how much was synced, and the changes.
 */
export function writeRecord({ sequence, synced, changes }: Written): Uint8Array {
  const line = Buffer.from(`["00000000",${sequence},${synced},${changes.join(',')}]\n`);
  line.write(checksumOf(line.subarray(0, -1)), checksum.begin, 'latin1');
  return line;
}

/** @returns `undefined` for a line, without its newline, that is not as it was written */
export function readRecord(line: Uint8Array): StateRecord | undefined {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  if (bytes[1] !== quote) return readOldRecord(bytes);
  if (bytes.toString('latin1', checksum.begin, checksum.end) !== checksumOf(bytes)) return undefined;
  const parsed = parseWithDates(bytes.toString('utf8'));
  return Array.isArray(parsed) ? parseStateFields(parsed) : undefined;
}

/** The version of the format that a line announces; `undefined` for another line. */
export function readFormatVersion(line: Uint8Array): number | undefined {
  const found = new RegExp(`"${formatName} (\\d+)"\\]$`).exec(Buffer.from(line).toString('utf8'));
  return found === null ? undefined : Number(found[1]);
}

export const knowsFormat = (version: number): boolean => version <= formatVersion;

const quote = '"'.charCodeAt(0);

const checksumOf = (line: Uint8Array): string => crc32(line.subarray(checksum.bodyFrom)).toString(16).padStart(8, '0');

function parseStateFields([, sequence, synced, ...rest]: readonly unknown[]): StateRecord | undefined {
  if (typeof sequence !== 'number' || typeof synced !== 'number') return undefined;
  const isFormat = typeof rest[0] === 'string';
  const changes = isFormat ? [] : rest.map(readChange);
  return changes.includes(undefined) ? undefined : { sequence, synced, changes: changes as readonly StateChange[] };
}

/** Before checksums each line was one change. */
function readOldRecord(line: Buffer): StateRecord | undefined {
  const change = readChange(parseWithDates(line.toString('utf8')));
  return change && { synced: 0, changes: [change] };
}
