import {
  type Dashboard,
  emptyDashboard,
  type NodeRow,
  type RolloutRow,
  type WaitingRow,
} from '@nodewright/dashboard/rows';
import { describe, expect, test } from 'vitest';
import { drawUseBar, fitText } from './text-cells.ts';
import { listTopLines, type TopView } from './top-lines.ts';
import { composeTopScreen, paintTopLine, pressTopKey, repaintScreen, splitTopKeys } from './top-screen.ts';

const aRow = (id: string, traits: Partial<NodeRow> = {}): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: '',
  pods: 3,
  cpuPercent: 50,
  memoryPercent: 25,
  explain: `node/${id}`,
  createdAt: '2024-02-20T12:00:00Z',
  release: 'v20240201',
  instanceType: 'm5.large',
  capacityType: 'spot',
  microUsdPerHour: 96_000,
  ...traits,
});

const dashboard: Dashboard = {
  ...emptyDashboard,
  at: '2024-03-01T12:00:00Z',
  nodes: [
    aRow('node-a'),
    aRow('node-b', { stage: 'toMove', cpuPercent: 100 }),
    aRow('node-c', { group: 'NodeGroup/system', stage: 'troubled' }),
  ],
  blockers: [
    {
      id: 'node-b',
      node: 'node-b',
      group: 'NodePool/default',
      because: 'AMIDrift',
      since: '2024-03-01T10:00:00Z',
      causes: [
        {
          cause: 'budget',
          message: 'the disruption budgets of NodePool default allow 0 nodes, 0 are away',
          object: { kind: 'NodePool', name: 'default' },
        },
      ],
      explain: 'node/node-b',
    },
  ],
};

const linesOf = (width: number, view: TopView = 'nodes'): readonly string[] =>
  listTopLines({ dashboard }, view, width).map(({ text }) => text);

test('nodes stand under their pool, those that need attention first', () => {
  expect(linesOf(140)).toEqual([
    'NODE      STATE        CPU            MEMORY         PODS  IMAGE      AGE  PRICE/H  TYPE',
    'NodeGroup/system: 1 not working; cpu ████░░░░  50%; $0.096/h',
    '  node-c  not working  ████░░░░  50%  ██░░░░░░  25%  3     v20240201  10d  $0.096   m5.large spot',
    'NodePool/default: 1 to move, 1 ready; cpu ██████░░  75%; $0.192/h',
    '  node-b  to move      ████████ 100%  ██░░░░░░  25%  3     v20240201  10d  $0.096   m5.large spot',
    '  node-a  ready        ████░░░░  50%  ██░░░░░░  25%  3     v20240201  10d  $0.096   m5.large spot',
  ]);
});

test('a narrow terminal keeps the columns that matter most', () => {
  expect(linesOf(52)[0]).toBe('NODE      STATE        CPU');
  for (const width of [20, 40, 60, 80, 120])
    for (const line of linesOf(width, 'blockers')) expect(line.length).toBeLessThanOrEqual(width);
});

test('at 40 columns a long name gives way, and the state of each node is whole', () => {
  const nodes = [
    aRow('ip-192-168-105-110.ec2.internal', { stage: 'troubled' }),
    aRow('ip-192-168-16-225.ec2.internal'),
  ];
  expect(listTopLines({ dashboard: { ...dashboard, nodes } }, 'nodes', 40).map(({ text }) => text)).toEqual([
    'NODE                         STATE',
    'NodePool/default: 1 not working, 1 ready; cpu ████░░░░  50%; $0.192/h',
    '  ip-192-168-105-110.ec2.i…  not working',
    '  ip-192-168-16-225.ec2.in…  ready',
  ]);
});

test('what holds a node is told with its cause and since when', () => {
  expect(linesOf(60, 'blockers')).toEqual([
    '1 node is held by NodePool default:',
    '  the disruption budgets of NodePool default allow 0',
    '    nodes, 0 are away',
    '  to do: widen the disruption budgets of NodePool',
    '    default, or wait',
    '',
    'NODE    SINCE  SHOULD MOVE FOR  CAUSE',
    'node-b  2h     AMIDrift         budget',
  ]);
});

const aRollout: RolloutRow = {
  id: 'web-2',
  policy: 'web',
  number: 2,
  state: 'Progressing',
  wave: 'half',
  cause: 'NewRelease',
  change: 'v20240101 -> v20240201',
  images: ['v20240101 to v20240201'],
  total: 4,
  updated: 1,
  failed: 0,
  remaining: 3,
  waits: [{ message: 'budget', since: '11:00' }, { message: 'approval' }],
  window: { message: 'closed', isOpen: false, changesAt: '18:00' },
  waves: [
    { name: 'canary', taken: 1, seats: 1, healthy: 1, failed: 0, outcome: 'Passed' },
    { name: 'half', taken: 1, seats: 2, healthy: 0, failed: 0, startedAt: '11:00' },
    { name: 'soaking', taken: 1, seats: 1, healthy: 1, failed: 0, startedAt: '11:00', soakedUntil: '13:00' },
    { name: 'later', taken: 0, seats: 1, healthy: 0, failed: 0, earliestStart: '20:00' },
    { name: 'rest', taken: 0, seats: 1, healthy: 0, failed: 0 },
  ],
  evidence: [],
  failures: [],
  requests: [],
  commands: [{ purpose: 'stop it', command: 'nodewright rollout halt web' }],
  explain: 'rollout/web-2',
};
const rolloutLines = (traits: Partial<RolloutRow> = {}) =>
  listTopLines({ dashboard: { ...dashboard, rollouts: [{ ...aRollout, ...traits }] } }, 'rollouts', 80);

test('a rollout tells how far it is, what it waits for, how each wave stands, and what a person can do', () => {
  expect(rolloutLines().map(({ text }) => text)).toEqual([
    'web-2: Progressing, wave half, v20240101 -> v20240201',
    '  ████████░░░░░░░░░░░░░░░░░░░░░░  25%  1 of 4 updated, 0 failed, 3 to go',
    '  waits since 11:00: budget',
    '  waits: approval',
    '  closed until 18:00',
    '  canary: 1 of 1 seats, 1 healthy, 0 failed, Passed',
    '  half: 1 of 2 seats, 0 healthy, 0 failed, under way',
    '  soaking: 1 of 1 seats, 1 healthy, 0 failed, soaks until 13:00',
    '  later: 0 of 1 seats, 0 healthy, 0 failed, begins at 20:00 at the earliest',
    '  rest: 0 of 1 seats, 0 healthy, 0 failed, to come',
    '  v20240101 to v20240201',
    '  $ nodewright rollout halt web',
    '',
  ]);
});

test('a rollout that is halted says why, in red', () => {
  const lines = rolloutLines({ halted: 'two nodes failed', window: { message: 'open', isOpen: true }, total: 0 });
  expect(lines.filter(({ tone }) => tone === 'bad').map(({ text }) => text)).toEqual([
    'web-2: Progressing, wave half, v20240101 -> v20240201',
    '  halted: two nodes failed',
  ]);
  expect(lines.map(({ text }) => text).join()).not.toContain('open');
});

test('pods that wait for the same are one entry, with some of their names', () => {
  const waiting = (pods: number, stage: WaitingRow['stage']): WaitingRow => ({
    id: 'web',
    stage,
    answer: 'has no place',
    reasons: ['NodePool default: no instance type is large enough'],
    pods,
    names: Array.from({ length: Math.min(pods, 8) }, (_, index) => `web/${index}`),
    explain: 'pod/web/0',
  });
  const linesOfPods = (rows: readonly WaitingRow[]) =>
    listTopLines({ dashboard: { ...dashboard, waiting: rows } }, 'pods', 80);
  expect(linesOfPods([waiting(7, 'noPlace'), waiting(1, 'newNode')]).map(({ text, tone }) => [tone, text])).toEqual([
    ['bad', '7 pods: each has no place'],
    [undefined, '  - NodePool default: no instance type is large enough'],
    ['faint', '  web/0, web/1, web/2, web/3, web/4 and 2 more'],
    ['title', '1 pod has no place'],
    [undefined, '  - NodePool default: no instance type is large enough'],
    ['faint', '  web/0'],
  ]);
  expect(linesOfPods([]).map(({ text }) => text)).toEqual(['no pod waits for a node']);
});

describe('a screen', () => {
  const screenOf = (rows: number, offset = 0, columns = 80) =>
    composeTopScreen({ dashboard }, { view: 'nodes', offset }, { columns, rows });

  test('has a line for each row of the terminal, none of them wider', () => {
    for (const rows of [3, 5, 24]) {
      for (const columns of [10, 40, 200]) {
        const { lines } = screenOf(rows, 0, columns);
        expect(lines).toHaveLength(rows);
        for (const { text } of lines) expect(text.length).toBeLessThanOrEqual(columns);
      }
    }
  });

  test('that is narrow breaks what the cluster is like into lines, and has every view by its number', () => {
    expect(
      screenOf(24, 0, 40)
        .lines.slice(0, 5)
        .map(({ text }) => text),
    ).toEqual([
      '2024-03-01T12:00:00Z | 3 nodes: 1 not',
      'working, 1 to move, 1 ready | 1 held | 0',
      'pods wait | $0.288/h',
      '[1 nodes] 2 rollouts 3 blockers 4 pods',
      'NODE      STATE',
    ]);
  });

  test('scrolls as far as there are lines', () => {
    expect(screenOf(5, 0, 120).lines[1]?.text).toContain('3 lines below');
    expect(screenOf(5, 99, 120).offset).toBe(3);
    expect(screenOf(5, 99, 120).lines.at(-1)?.text).toContain('node-a');
    expect(screenOf(24, 99).offset).toBe(0);
  });

  test('begins with what keeps it from being read', () => {
    const { lines } = composeTopScreen(
      { dashboard, notice: 'Pods cannot be watched: forbidden' },
      { view: 'nodes', offset: 0 },
      { columns: 80, rows: 5 },
    );
    expect(lines[0]).toEqual({ text: 'Pods cannot be watched: forbidden', tone: 'bad' });
  });
});

test('keys choose a view, scroll and quit', () => {
  const state = { view: 'nodes', offset: 4 } as const;
  const press = (key: string) => pressTopKey(state, key, 10);
  expect(press('3')).toEqual({ view: 'blockers', offset: 0 });
  expect(press('\t')).toEqual({ view: 'rollouts', offset: 0 });
  expect([press('j'), press('k'), press(' '), press('\u001b[5~')].map((next) => next?.offset)).toEqual([5, 3, 14, 0]);
  expect([press('q'), press('\u0003')]).toEqual([undefined, undefined]);
  expect(press('x')).toBe(state);
});

test('keys that come together count one by one', () => {
  expect(splitTopKeys('jj\u001b[B\u001b[6~q')).toEqual(['j', 'j', '\u001b[B', '\u001b[6~', 'q']);
  expect(splitTopKeys('\u001b')).toEqual(['\u001b']);
});

test('only lines that differ are written again', () => {
  expect(repaintScreen(['a', 'b', 'c'], ['a', 'B', 'c'])).toBe('\u001b[?2026h\u001b[2;1HB\u001b[K\u001b[?2026l');
  expect(repaintScreen(['a'], ['a'])).toBe('');
  expect(repaintScreen(['a', 'b'], ['a'])).toContain('\u001b[2;1H\u001b[J');
});

test('what a line means is readable without colour', () => {
  expect(paintTopLine({ text: 'x', tone: 'bad' }, false)).toBe('x');
  expect(paintTopLine({ text: 'x', tone: 'bad' }, true)).toBe('\u001b[31;1mx\u001b[0m');
  expect([drawUseBar(0, 4), drawUseBar(100, 4), drawUseBar(130, 4)]).toEqual(['░░░░   0%', '████ 100%', '████ 130%']);
  expect([fitText('abc', 5), fitText('abcdef', 4), fitText('abc', 1)]).toEqual(['abc  ', 'abc…', 'a']);
});
