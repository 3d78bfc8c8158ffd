import { gunzipSync, gzipSync } from 'node:zlib';
import type { Snapshot } from './snapshot.ts';

/** The bytes of a snapshot file, the same for the same snapshot. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const bytes = gzipSync(Buffer.from(JSON.stringify(snapshot)), { level: 6 });
  bytes[operatingSystemAt] = unknownSystem;
  return bytes;
}

/** Where gzip says on which system it ran. */
const operatingSystemAt = 9;
const unknownSystem = 255;

const gzipMagic = [0x1f, 0x8b] as const;

/**
 * Reads a snapshot file, compressed or not.
 * @throws Error saying what the file is instead
 */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const isCompressed = gzipMagic.every((byte, at) => bytes[at] === byte);
  const text = Buffer.from(isCompressed ? gunzipSync(bytes) : bytes).toString('utf8');
  const parsed = parseSnapshotText(text);
  const held = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Partial<Snapshot>;
  if (held.kind !== 'Snapshot' || held.apiVersion !== 'nodewright.dev/v1alpha1')
    throw new Error(`holds ${describeHeld(held)}, no Snapshot`);
  return parsed as Snapshot;
}

const describeHeld = ({ kind, apiVersion }: Partial<Snapshot>): string =>
  kind === undefined
    ? 'no object of a kind'
    : `a ${kind}${apiVersion === undefined ? ' without apiVersion' : ` of ${apiVersion}`}`;

function parseSnapshotText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    throw new Error('holds no JSON, compressed or not; `nodewright snapshot` writes what is needed', {
      cause: failure,
    });
  }
}
