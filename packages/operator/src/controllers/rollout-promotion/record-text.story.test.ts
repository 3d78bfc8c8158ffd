import { expect, test } from 'vitest';
import { readRecordText, writeRecordText } from './record-text.ts';

const limits = { usualBytes: 4_096, mostBytes: 8_192 };
const at = '2026-06-01T00:00:00Z';
const releaseOf = (number: number) => ({
  variant: 'AL2023/amd64/none',
  release: `v${number}`,
  completedAt: at,
  nodeHours: 1.5,
  pods: 2,
  failures: 0,
  verdict: 'Proven' as const,
});
const record = {
  cluster: 'staging',
  policy: 'p',
  at,
  releases: [releaseOf(1)],
  running: { rollout: 'p-2', wave: 'canary', since: at },
};

test('what is written is read again, with a hash that goes on from the record before', () => {
  const text = writeRecordText(record, 'earlier', limits);
  expect(readRecordText(text)).toMatchObject({ kind: 'read', record });
  expect(text).toContain('"previous":"earlier"');
});

test('a wave keeps its stage; one in a stage that this version does not know is unreadable', () => {
  const running = { ...record.running, stage: 'Beginning' as const, stageSince: at };
  expect(readRecordText(writeRecordText({ ...record, running }, '', limits))).toMatchObject({ record: { running } });
  const body = writeRecordText({ ...record, running: { ...running, stage: 'Later' as 'Begun' } }, '', limits);
  expect(readRecordText(body)).toEqual({ kind: 'unreadable', message: 'it is no record of a policy' });
});

test('a record that does not fit loses its oldest releases, but for a dozen', () => {
  const releases = Array.from({ length: 40 }, (_, index) => releaseOf(index));
  const text = writeRecordText({ ...record, releases }, '', limits);
  const read = readRecordText(text);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  expect(read.kind === 'read' && read.record.releases[0]?.release).toBe('v0');
  const long = releases.map((release) => ({ ...release, release: `${release.release}-${'x'.repeat(300)}` }));
  expect(Buffer.byteLength(writeRecordText({ ...record, releases: long }, '', limits))).toBeGreaterThan(4_096);
  const huge = [{ ...releaseOf(1), release: 'x'.repeat(9_000) }];
  expect(() => writeRecordText({ ...record, releases: huge }, '', limits)).toThrow('more than 8192 bytes');
});

for (const [fact, text, message] of [
  ['is none', 'hello', 'it is not JSON'],
  ['has no hash', '{}', 'it has no hash'],
  [
    'was changed by hand',
    writeRecordText(record, '', limits).replace('"nodeHours":1.5', '"nodeHours":900'),
    'its hash is not that of its content: another client has changed it',
  ],
] as const) {
  test(`a record that ${fact} is unreadable`, () => {
    expect(readRecordText(text)).toEqual({ kind: 'unreadable', message });
  });
}
