import { fromTimestamp, instant, type Instant, minutes, seconds, toTimestamp } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { advanceStage, findNeighbourHold, type NeighbourQuestion } from './neighbours.ts';
import type { EvidenceRecord, RunningWave, UpstreamReading, WaveStage } from './promotion.ts';

const now = fromTimestamp('2026-06-10T00:00:00Z');
const early = '2026-06-09T23:50:00Z';
const late = '2026-06-09T23:55:00Z';
const stale = '2026-06-09T22:00:00Z';

const waveOf = (since: string, stage?: WaveStage): RunningWave => ({
  rollout: 'p-1',
  wave: 'canary',
  since,
  ...(stage === undefined ? {} : { stage, stageSince: since }),
});
const recordOf = (running?: RunningWave, at = toTimestamp(now)): EvidenceRecord => ({
  cluster: 'staging',
  policy: 'p',
  at,
  releases: [],
  ...(running === undefined ? {} : { running }),
});
const read = (record: EvidenceRecord): UpstreamReading => ({ requirement: 0, readAt: now, kind: 'read', record });
const unreadable = (last: EvidenceRecord): UpstreamReading => ({
  requirement: 0,
  readAt: now,
  kind: 'unreadable',
  message: 'away',
  last,
});

type Asked = { readonly upstream?: readonly UpstreamReading[]; readonly own?: RunningWave } & {
  readonly cluster?: string;
  readonly approvedAt?: string;
  readonly publishes?: boolean;
};
const questionOf = ({
  upstream = [],
  own,
  cluster = 'us',
  approvedAt,
  publishes = true,
}: Asked): NeighbourQuestion => ({
  promotion: { notTogetherWith: ['staging'], ...(publishes ? { publish: { ssmParameter: '/own' } } : {}) },
  upstream,
  now,
  rollout: 'p-1',
  wave: { name: 'canary', ...(approvedAt === undefined ? {} : { approvedAt }) },
  announced: own === undefined ? undefined : { cluster, running: own },
});
const holdOf = (asked: Asked) => findNeighbourHold(questionOf(asked));
const stageOf = (asked: Asked & { own: RunningWave }) => advanceStage(asked.own, questionOf(asked)).stage;

const silent = { publishes: false };
for (const { fact, asked, hold } of [
  { fact: 'runs no wave', asked: { ...silent, upstream: [read(recordOf())] }, hold: undefined },
  {
    fact: 'runs one',
    asked: { ...silent, upstream: [read(recordOf(waveOf(early)))] },
    hold: { needsPerson: false, because: `wave canary runs there since ${early}` },
  },
  {
    fact: 'ran one an hour ago',
    asked: { ...silent, upstream: [read(recordOf(waveOf(stale), stale))] },
    hold: { needsPerson: true, because: `wave canary runs there since ${stale}, as of ${stale}` },
  },
  {
    fact: 'has published nothing',
    asked: silent,
    hold: { needsPerson: true, because: 'its record is not there' },
  },
  {
    fact: 'cannot be read now',
    asked: { ...silent, upstream: [unreadable(recordOf())] },
    hold: { needsPerson: false, because: 'its record cannot be read: away' },
  },
  {
    fact: 'has not been read for an hour',
    asked: { ...silent, upstream: [unreadable(recordOf(undefined, stale))] },
    hold: { needsPerson: true, because: `its record cannot be read: away, as of ${stale}` },
  },
] as const)
  test(`a neighbour that ${fact} ${hold === undefined ? 'holds nothing' : 'holds'}`, () => {
    if (hold === undefined) expect(holdOf(asked)).toBeUndefined();
    else expect(holdOf(asked)).toMatchObject({ cluster: 'staging', ...hold });
  });

test('a person decides about what is not known by approving the wave after it became old', () => {
  const old = [read(recordOf(waveOf(stale), stale))];
  expect(holdOf({ ...silent, upstream: old, approvedAt: '2026-06-09T22:30:00Z' })).toMatchObject({ needsPerson: true });
  expect(holdOf({ ...silent, upstream: old, approvedAt: '2026-06-09T23:30:00Z' })).toBeUndefined();
  expect(holdOf({ ...silent, approvedAt: '2026-06-09T22:30:00Z' })).toBeUndefined();
});

test('a wave is published, is told to the others, and goes when its record says that it has begun', () => {
  const upstream = [read(recordOf())];
  expect(holdOf({ upstream })?.because).toBe('wave canary is not published yet');
  const fresh = waveOf('2026-06-09T23:59:30Z', 'Waiting');
  expect(holdOf({ upstream, own: fresh })).toMatchObject({
    because: 'the others hear of wave canary first',
    until: instant(now + seconds(30)),
  });
  expect(stageOf({ upstream, own: fresh })).toBe('Waiting');
  expect(stageOf({ upstream, own: waveOf(late, 'Waiting') })).toBe('Beginning');
  expect(holdOf({ upstream, own: waveOf(late, 'Beginning') })).toMatchObject({ needsPerson: false });
  expect(stageOf({ upstream, own: waveOf(late, 'Beginning') })).toBe('Begun');
  expect(holdOf({ upstream, own: waveOf(late, 'Begun') })).toBeUndefined();
});

for (const { fact, own, other, stage } of [
  {
    fact: 'waits for one that waits longer',
    own: waveOf(late, 'Waiting'),
    other: waveOf(early, 'Waiting'),
    stage: 'Waiting',
  },
  {
    fact: 'goes before one that waits shorter',
    own: waveOf(early, 'Waiting'),
    other: waveOf(late, 'Waiting'),
    stage: 'Beginning',
  },
  {
    fact: 'waits for one that has begun, whatever its time says',
    own: waveOf(early, 'Waiting'),
    other: waveOf(late, 'Begun'),
    stage: 'Waiting',
  },
  {
    fact: 'that is beginning goes back before one that has begun',
    own: waveOf(early, 'Beginning'),
    other: waveOf(late, 'Begun'),
    stage: 'Waiting',
  },
  {
    fact: 'that is beginning goes back before one that is beginning, too',
    own: waveOf(early, 'Beginning'),
    other: waveOf(late, 'Beginning'),
    stage: 'Waiting',
  },
  { fact: 'that has begun goes on', own: waveOf(late, 'Begun'), other: waveOf(early, 'Begun'), stage: 'Begun' },
  {
    fact: 'goes before one of an older version that was announced later',
    own: waveOf(early, 'Waiting'),
    other: waveOf(late),
    stage: 'Beginning',
  },
] as const)
  test(`a wave ${fact}`, () => {
    expect(stageOf({ own, upstream: [read(recordOf(other))] })).toBe(stage);
  });

test('of two that are beginning the first by name waits, so that one of them begins', () => {
  const own = waveOf(late, 'Beginning');
  const upstream = [read(recordOf(waveOf(early, 'Beginning')))];
  expect(stageOf({ own, upstream, cluster: 'eu' })).toBe('Beginning');
  expect(stageOf({ own, upstream, cluster: 'us' })).toBe('Waiting');
});

/** A cluster whose clock is wrong, and whose turns take as long as they like between reading and writing. */
type Peer = {
  readonly name: string;
  readonly skewMs: number;
  record: EvidenceRecord;
  /** What it will write, from what it has read. */
  pending: EvidenceRecord | undefined;
};

function takeTurn(peer: Peer, peers: readonly Peer[], time: Instant): void {
  if (peer.pending !== undefined) {
    peer.record = peer.pending;
    peer.pending = undefined;
    return;
  }
  const at = instant(time + peer.skewMs);
  const others = peers.filter((each) => each !== peer);
  const since = toTimestamp(at);
  const running = peer.record.running ?? { ...waveOf(since, 'Waiting') };
  const question: NeighbourQuestion = {
    promotion: { publish: { ssmParameter: '/own' }, notTogetherWith: others.map(({ name }) => name) },
    upstream: others.map(({ record }, requirement) => ({ requirement, readAt: at, kind: 'read', record })),
    now: at,
    rollout: 'p-1',
    wave: { name: 'canary' },
    announced: { cluster: peer.name, running },
  };
  peer.pending = { ...peer.record, at: since, running: advanceStage(running, question) };
}

test('no two clusters have begun at once, and one of them does, whatever clocks and writes do', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = seededRandom(`neighbours-${seed}`);
    const peers: Peer[] = ['eu', 'sa', 'us'].slice(0, 2 + (seed % 2)).map((name) => ({
      name,
      skewMs: random.integer(minutes(20)) - minutes(10),
      record: { cluster: name, policy: 'p', at: toTimestamp(now), releases: [] },
      pending: undefined,
    }));
    let waves = 0;
    for (let step = 0; step < 200; step += 1) {
      const time = instant(now + step * seconds(20));
      const peer = peers[random.integer(peers.length)];
      if (peer === undefined) continue;
      takeTurn(peer, peers, time);
      const begun = peers.filter(({ record }) => record.running?.stage === 'Begun');
      expect(begun.length, `seed ${seed}, step ${step}`).toBeLessThanOrEqual(1);
      const [first] = begun;
      if (first !== undefined && first.pending === undefined && random.next() < 0.2) {
        const { running: _running, ...ended } = first.record;
        first.record = ended;
        waves += 1;
      }
    }
    expect(waves, `seed ${seed}`).toBeGreaterThan(1);
  }
});
