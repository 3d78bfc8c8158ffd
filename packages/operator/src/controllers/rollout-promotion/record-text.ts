import { createHash } from 'node:crypto';
import { readOwn } from '@nodewright/apis';
import type { EvidenceRecord, ProvenRelease, WaveStage } from '@nodewright/engine';

/** A record as it is stored: `previous` is the hash of the record before, and `hash` is over everything else. */
type StoredRecord = EvidenceRecord & { readonly previous: string; readonly hash: string };

export type RecordReading =
  | { readonly kind: 'read'; readonly record: EvidenceRecord; readonly hash: string }
  | { readonly kind: 'unreadable'; readonly message: string };

/** Of a record that is too large as many releases stay, before it may become larger instead. */
const leastReleases = 12;

/** How many bytes fit: cheaply, and at most. */
export type RecordLimits = { readonly usualBytes: number; readonly mostBytes: number };

/**
 * The text of a record that goes on from another. Where it does not fit, the oldest releases are left out.
 * @throws Error when not even the newest release fits
 */
export function writeRecordText(
  record: EvidenceRecord,
  previous: string,
  { usualBytes, mostBytes }: RecordLimits,
): string {
  for (let count = record.releases.length; ; count -= 1) {
    const text = textOfRecord({ ...record, releases: record.releases.slice(0, count) }, previous);
    const limit = count > leastReleases ? usualBytes : mostBytes;
    if (Buffer.byteLength(text) <= limit) return text;
    if (count <= 1) throw new Error(`the record has more than ${mostBytes} bytes`);
  }
}

function textOfRecord(record: EvidenceRecord, previous: string): string {
  const body = { ...record, previous };
  return JSON.stringify({ ...body, hash: hashOfBody(body) } satisfies StoredRecord);
}

const hashOfBody = (body: object): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

/** Reads a record. One that was changed by hand, or is none, is unreadable: it proves nothing. */
export function readRecordText(text: string): RecordReading {
  const unreadable = (message: string): RecordReading => ({ kind: 'unreadable', message });
  let decoded: unknown;
  try {
    decoded = JSON.parse(text);
  } catch {
    return unreadable('it is not JSON');
  }
  const stored = fieldsOfRecord(decoded);
  const { hash, ...body } = stored;
  if (typeof hash !== 'string') return unreadable('it has no hash');
  if (hashOfBody(body) !== hash)
    return unreadable('its hash is not that of its content: another client has changed it');
  const record = recordInFields(body);
  return record === undefined ? unreadable('it is no record of a policy') : { kind: 'read', record, hash };
}

type RecordFields = Readonly<Record<string, unknown>>;

const fieldsOfRecord = (value: unknown): RecordFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RecordFields) : {};

function recordInFields(body: RecordFields): EvidenceRecord | undefined {
  const [cluster, policy, at, releases] = ['cluster', 'policy', 'at', 'releases'].map((name) => readOwn(body, name));
  if (typeof cluster !== 'string' || typeof policy !== 'string' || !isRecordTime(at) || !Array.isArray(releases))
    return undefined;
  const proven = releases.map(releaseInFields);
  const running = readOwn(body, 'running');
  const wave = running === undefined ? undefined : waveInFields(fieldsOfRecord(running));
  const isWhole = proven.every((release) => release !== undefined) && (running === undefined || wave !== undefined);
  if (!isWhole) return undefined;
  return { cluster, policy, at, releases: proven, ...(wave === undefined ? {} : { running: wave }) };
}

function releaseInFields(value: unknown): ProvenRelease | undefined {
  const fields = fieldsOfRecord(value);
  const { variant, release, completedAt, nodeHours, pods, failures, verdict } = fields;
  const areTexts = typeof variant === 'string' && typeof release === 'string' && isRecordTime(completedAt);
  const areCounts = isRecordCount(nodeHours) && isRecordCount(pods) && isRecordCount(failures);
  if (!areTexts || !areCounts || (verdict !== 'Proven' && verdict !== 'Halted')) return undefined;
  return { variant, release, completedAt, nodeHours, pods, failures, verdict };
}

const waveStages: readonly unknown[] = ['Waiting', 'Beginning', 'Begun'] satisfies readonly WaveStage[];
const isWaveStage = (value: unknown): value is WaveStage => waveStages.includes(value);

function waveInFields({ rollout, wave, since, stage, stageSince }: RecordFields): EvidenceRecord['running'] {
  if (typeof rollout !== 'string' || typeof wave !== 'string' || !isRecordTime(since)) return undefined;
  if (stage === undefined) return { rollout, wave, since };
  return isWaveStage(stage) && isRecordTime(stageSince) ? { rollout, wave, since, stage, stageSince } : undefined;
}

const isRecordTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

const isRecordCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
