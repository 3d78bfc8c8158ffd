import {
  type BlockerRow,
  type Dashboard,
  emptyDashboard,
  type GroupProgressRow,
  type NodeRow,
  type RolloutRow,
  type WaitingRow,
} from '@nodewright/dashboard/rows';
import { describe, expect, test } from 'vitest';
import { listTopLines, summarizeDashboard, type TopView } from './top-lines.ts';

const at = '2024-03-01T12:00:00Z';

const aNodeRow = (id: string, traits: Partial<NodeRow> = {}): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: '',
  pods: 1,
  cpuPercent: 50,
  memoryPercent: 50,
  explain: `node/${id}`,
  ...traits,
});

const aGroupRow = (traits: Partial<GroupProgressRow> = {}): GroupProgressRow => ({
  id: 'workers',
  phase: 'Updating',
  reason: 'one node at a time',
  total: 4,
  updated: 1,
  explain: 'nodegroup/workers',
  ...traits,
});

const aWave = (traits: Partial<RolloutRow['waves'][number]> = {}): RolloutRow['waves'][number] => ({
  name: 'canary',
  seats: 2,
  taken: 1,
  healthy: 1,
  failed: 0,
  ...traits,
});

const aRolloutRow = (traits: Partial<RolloutRow> = {}): RolloutRow => ({
  id: 'web-2',
  policy: 'web',
  number: 2,
  state: 'Progressing',
  cause: 'NewRelease',
  change: '',
  images: [],
  total: 4,
  updated: 1,
  failed: 0,
  remaining: 3,
  waits: [],
  waves: [],
  commands: [],
  explain: 'rollout/web-2',
  startedAt: '2024-03-01T10:00:00Z',
  evidence: [],
  failures: [],
  requests: [],
  ...traits,
});

const aBlockerRow = (
  node: string,
  message: string,
  traits: Partial<BlockerRow['causes'][number]> = {},
): BlockerRow => ({
  id: node,
  node,
  group: 'NodePool/default',
  because: 'AMIDrift',
  causes: [{ cause: 'pdb', message, ...traits }],
  explain: `node/${node}`,
});

const textOf = (traits: Partial<Dashboard>, view: TopView, width = 100): string =>
  listTopLines({ dashboard: { ...emptyDashboard, at, ...traits } }, view, width)
    .map(({ text }) => text)
    .join('\n');
const toneOf = (traits: Partial<Dashboard>, view: TopView, of: string) =>
  listTopLines({ dashboard: { ...emptyDashboard, at, ...traits } }, view, 100).find(({ text }) => text.includes(of))
    ?.tone;

describe('an empty view says what that means', () => {
  test.each<[TopView, string]>([
    ['nodes', 'no node'],
    ['rollouts', 'no rollout: no NodeRolloutPolicy has led nodes to another image yet'],
    ['blockers', 'nothing is held: every node that should move goes, or is next'],
    ['pods', 'no pod waits for a node'],
  ])('%s', (view, text) => {
    expect(textOf({}, view)).toBe(text);
  });
});

describe('the line above the views', () => {
  const waits = (pods: number): WaitingRow => ({
    id: 'web',
    pods,
    answer: '',
    reasons: [],
    names: [],
    stage: 'noPlace',
    explain: 'pod/default/web',
  });

  test.each<[fact: string, traits: Partial<Dashboard>, line: string]>([
    ['counts nothing', {}, `${at} | 0 nodes: none | 0 held | 0 pods wait | $0.000/h`],
    ['counts one pod', { waiting: [waits(1)] }, `${at} | 0 nodes: none | 0 held | 1 pod waits | $0.000/h`],
    ['adds pods up', { waiting: [waits(2), waits(3)] }, `${at} | 0 nodes: none | 0 held | 5 pods wait | $0.000/h`],
    [
      'adds prices up',
      { nodes: [aNodeRow('a', { microUsdPerHour: 100_000 }), aNodeRow('b', { microUsdPerHour: 50_000 })] },
      `${at} | 2 nodes: 2 ready | 0 held | 0 pods wait | $0.150/h`,
    ],
    [
      'says so where a price is not known',
      { nodes: [aNodeRow('a', { microUsdPerHour: 100_000 }), aNodeRow('b')] },
      `${at} | 2 nodes: 2 ready | 0 held | 0 pods wait | $0.100 an hour and 1 node without a known price`,
    ],
    [
      'gives no sum where no price is known',
      { nodes: [aNodeRow('a'), aNodeRow('b')] },
      `${at} | 2 nodes: 2 ready | 0 held | 0 pods wait | no known price of 2 nodes`,
    ],
  ])('%s', (_, traits, line) => {
    expect(summarizeDashboard({ dashboard: { ...emptyDashboard, at, ...traits } })).toBe(line);
  });
});

describe('a node', () => {
  test('of which little is known has a dash for each gap', () => {
    const text = textOf({ nodes: [aNodeRow('a')] }, 'nodes', 140);
    expect(text.split('\n').at(-1)?.replaceAll(/\s+/g, ' ')).toBe(' a ready ████░░░░ 50% ████░░░░ 50% 1 - - - - -');
  });

  test('without a release has its image', () => {
    expect(textOf({ nodes: [aNodeRow('a', { image: 'ami-1' })] }, 'nodes', 140)).toContain('ami-1');
  });

  test.each<[NodeRow['stage'], string | undefined]>([
    ['troubled', 'bad'],
    ['toMove', 'warning'],
    ['leaving', 'warning'],
    ['starting', 'warning'],
    ['ready', undefined],
  ])('that is %s stands out accordingly', (stage, tone) => {
    expect(toneOf({ nodes: [aNodeRow('worker', { stage })] }, 'nodes', 'worker')).toBe(tone);
  });
});

describe('a NodeGroup', () => {
  test('that is not up to date is a rollout of its own', () => {
    expect(textOf({ nodeGroups: [aGroupRow({ target: 'v20240201' })] }, 'rollouts')).toBe(
      [
        'NodeGroup workers: Updating, to v20240201',
        '  ██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  25%  1 of 4 updated',
        '  one node at a time',
        '',
      ].join('\n'),
    );
  });

  test('without a target and without nodes says no more', () => {
    const text = textOf({ nodeGroups: [aGroupRow({ total: 0, updated: 0 })] }, 'rollouts');
    expect(text).toContain('NodeGroup workers: Updating\n');
    expect(text).toContain('  0%  0 of 0 updated');
  });

  test('that is up to date is no rollout', () => {
    expect(textOf({ nodeGroups: [aGroupRow({ phase: 'UpToDate' })] }, 'rollouts')).toMatch(/^no rollout/);
  });

  test.each([
    { phase: 'Failed' as const, tone: 'bad' },
    { phase: 'Updating' as const, tone: 'title' },
  ])('that is $phase has the tone $tone', ({ phase, tone }) => {
    expect(toneOf({ nodeGroups: [aGroupRow({ phase })] }, 'rollouts', 'NodeGroup workers')).toBe(tone);
  });
});

describe('a rollout', () => {
  test.each<[fact: string, traits: Partial<RolloutRow>, line: string]>([
    ['says its state alone', {}, 'web-2: Progressing'],
    ['says its wave and change', { wave: 'half', change: 'v1 -> v2' }, 'web-2: Progressing, wave half, v1 -> v2'],
    ['says why it has halted', { halted: 'two nodes failed' }, '  halted: two nodes failed'],
    ['says what it waits for', { waits: [{ message: 'a window' }] }, '  waits: a window'],
    [
      'says since when it waits',
      { waits: [{ message: 'a window', since: '2024-03-01T11:00:00Z' }] },
      '  waits since 2024-03-01T11:00:00Z: a window',
    ],
    [
      'says when a closed window opens',
      { window: { isOpen: false, message: 'closed', changesAt: '2024-03-02T08:00:00Z' } },
      '  closed until 2024-03-02T08:00:00Z',
    ],
    [
      'says where a node that cannot be drained is parked',
      { parked: [{ node: 'a', since: '2024-03-01T11:00:00Z', message: 'pod default/db keeps it' }] },
      '  a is parked since 2024-03-01T11:00:00Z: pod default/db keeps it',
    ],
    ['says of a closed window without an end', { window: { isOpen: false, message: 'closed' } }, '  closed'],
    [
      'lists a wave to come',
      { waves: [aWave({ taken: 0, healthy: 0 })] },
      '  canary: 0 of 2 seats, 0 healthy, 0 failed, to come',
    ],
    [
      'lists when a wave begins',
      { waves: [aWave({ earliestStart: '2024-03-02T08:00:00Z' })] },
      '  canary: 1 of 2 seats, 1 healthy, 0 failed, begins at 2024-03-02T08:00:00Z at the earliest',
    ],
    [
      'lists a wave under way',
      { waves: [aWave({ startedAt: at })] },
      '  canary: 1 of 2 seats, 1 healthy, 0 failed, under way',
    ],
    [
      'lists a wave that soaks',
      { waves: [aWave({ startedAt: at, soakedUntil: '2024-03-01T13:00:00Z' })] },
      '  canary: 1 of 2 seats, 1 healthy, 0 failed, soaks until 2024-03-01T13:00:00Z',
    ],
    [
      'lists how a wave ended',
      { waves: [aWave({ startedAt: at, outcome: 'Proven' })] },
      '  canary: 1 of 2 seats, 1 healthy, 0 failed, Proven',
    ],
    ['lists images', { images: ['v1 to v2'] }, '  v1 to v2'],
    [
      'lists commands',
      { commands: [{ purpose: 'pause', command: 'nodewright rollout pause web-2' }] },
      '  $ nodewright rollout pause web-2',
    ],
  ])('%s', (_, traits, line) => {
    expect(textOf({ rollouts: [aRolloutRow(traits)] }, 'rollouts').split('\n')).toContain(line);
  });

  test('does not tell of a window that is open', () => {
    const window = { isOpen: true, message: 'open' };
    expect(textOf({ rollouts: [aRolloutRow({ window })] }, 'rollouts')).not.toContain('open');
  });

  test.each([
    { halted: 'two nodes failed', tone: 'bad' },
    { halted: undefined, tone: 'title' },
  ])('with the halt $halted has the tone $tone', ({ halted, tone }) => {
    const row = aRolloutRow(halted === undefined ? {} : { halted });
    expect(toneOf({ rollouts: [row] }, 'rollouts', 'web-2: ')).toBe(tone);
  });
});

describe('what holds nodes', () => {
  const web = { object: { kind: 'PodDisruptionBudget', name: 'web' } };

  test('is said once for all of them, with a few of its messages', () => {
    const blockers = ['a', 'b', 'c', 'd', 'e'].map((node) => aBlockerRow(node, `holds ${node}`, web));
    const lines = textOf({ blockers }, 'blockers').split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '5 nodes are held by PodDisruptionBudget web:',
      '  holds a',
      '  holds b',
      '  holds c',
      '  and 2 other reasons',
    ]);
    expect(lines.filter((line) => line.includes('AMIDrift'))).toHaveLength(5);
  });

  test('is said once where its messages differ in a name alone', () => {
    const blockers = ['a', 'b'].map((node) => aBlockerRow(node, `never lets pod web/${node} go`, web));
    const lines = textOf({ blockers }, 'blockers').split('\n');
    expect(lines.slice(1, 3)).toEqual(['  never lets pod … go (2 times)', '']);
  });

  test('has the name of its cause where no object is behind it', () => {
    expect(textOf({ blockers: [aBlockerRow('a', 'too young')] }, 'blockers')).toContain('1 node is held by pdb:');
  });

  test('asks nothing of a person where it ends by itself', () => {
    const until = '2024-03-01T13:00:00Z';
    const budget = { cause: 'budget' as const, object: { kind: 'NodePool', name: 'default' } };
    const advised = textOf({ blockers: [aBlockerRow('a', 'x', budget)] }, 'blockers');
    const patient = textOf({ blockers: [aBlockerRow('a', 'x', { ...budget, until })] }, 'blockers');
    expect(advised).toContain('to do: ');
    expect(patient).not.toContain('to do: ');
  });
});

describe('pods that wait', () => {
  const row = (traits: Partial<WaitingRow>): WaitingRow => ({
    id: 'web',
    explain: 'pod/default/web',
    pods: 1,
    answer: 'waits',
    reasons: [],
    names: ['web-0'],
    stage: 'noPlace',
    ...traits,
  });
  const names = Array.from({ length: 7 }, (_, index) => `web-${index}`);

  test.each<[fact: string, waiting: WaitingRow, lines: readonly string[]]>([
    ['alone', row({}), ['1 pod waits', '  web-0']],
    [
      'together, with a few names and each reason',
      row({ pods: 7, names, reasons: ['too large', 'no zone'] }),
      ['7 pods: each waits', '  - too large', '  - no zone', '  web-0, web-1, web-2, web-3, web-4 and 2 more'],
    ],
  ])('%s', (_, waiting, lines) => {
    expect(textOf({ waiting: [waiting] }, 'pods').split('\n')).toEqual(lines);
  });

  test.each<{ readonly stage: WaitingRow['stage']; readonly tone: string }>([
    { stage: 'noPlace', tone: 'bad' },
    { stage: 'newNode', tone: 'title' },
  ])('and are $stage have the tone $tone', ({ stage, tone }) => {
    expect(toneOf({ waiting: [row({ stage })] }, 'pods', '1 pod')).toBe(tone);
  });
});
