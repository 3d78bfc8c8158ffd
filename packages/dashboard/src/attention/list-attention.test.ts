import { expect, test } from 'vitest';
import { emptyDashboard } from '../rows/dashboard-changes.ts';
import type { BlockerCause, BlockerRow, Dashboard, NodeRow, RolloutRow } from '../rows/dashboard-rows.ts';
import { listAttention } from './list-attention.ts';

const anAttendedNode = (id: string, traits: Partial<NodeRow>): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: 'stays',
  pods: 1,
  cpuPercent: 10,
  memoryPercent: 10,
  explain: `node/${id}`,
  ...traits,
});

const aHeldRow = (id: string, ...causes: readonly BlockerCause[]): BlockerRow => ({
  id,
  node: id,
  group: 'NodePool/default',
  because: 'Drifted',
  since: `2024-03-01T1${id.length}:00:00Z`,
  causes,
  explain: `node/${id}`,
});

const aRolloutRow = (id: string, traits: Partial<RolloutRow>): RolloutRow => ({
  id,
  policy: 'production',
  number: 1,
  state: 'Soaking',
  cause: 'NewRelease',
  change: 'v1 -> v2',
  images: [],
  total: 3,
  updated: 1,
  failed: 0,
  remaining: 2,
  waits: [],
  waves: [],
  evidence: [],
  failures: [],
  requests: [],
  commands: [],
  explain: `rollout/${id}`,
  ...traits,
});

const eviction: BlockerCause = {
  cause: 'eviction',
  message: 'PodDisruptionBudget default/web never allows an eviction',
  object: { kind: 'PodDisruptionBudget', name: 'default/web' },
};
const budget: BlockerCause = {
  cause: 'budget',
  message: 'its budget is closed until 18:00',
  object: { kind: 'NodePool', name: 'default' },
  until: '2024-03-01T18:00:00Z',
};

const attend = (dashboard: Partial<Dashboard>) => listAttention({ ...emptyDashboard, ...dashboard });

test('what does not work comes before what waits for a person, and that before what goes on by itself', () => {
  const items = attend({
    nodes: [
      anAttendedNode('a', { stage: 'troubled', answer: 'is not Ready' }),
      anAttendedNode('b', {}),
      anAttendedNode('c', { stage: 'leaving' }),
    ],
    blockers: [aHeldRow('d', budget), aHeldRow('ee', eviction), aHeldRow('f', eviction)],
    rollouts: [
      aRolloutRow('one', { halted: 'image is bad', commands: [{ purpose: '', command: 'resume', isNeeded: true }] }),
      aRolloutRow('two', { endedAt: '2024-03-01T10:00:00Z', halted: 'it was bad' }),
    ],
    waiting: [
      {
        id: 'w',
        stage: 'noPlace',
        answer: 'has no place',
        reasons: ['too large; fix: ask for less'],
        pods: 3,
        names: [],
        explain: 'pod/default/w',
      },
    ],
  });
  expect(items.map(({ urgency, what, why, todo, commands }) => [urgency, what, why, todo ?? commands])).toEqual([
    ['broken', 'Rollout one is halted: 1 of 3 nodes updated, v1 -> v2', 'image is bad', ['resume']],
    ['broken', 'Node a does not work', 'it is not Ready', []],
    ['broken', '3 pods have no node', 'too large; fix: ask for less', []],
    [
      'waitsForPerson',
      '2 nodes are held by PodDisruptionBudget default/web',
      'PodDisruptionBudget default/web never allows an eviction',
      'have PodDisruptionBudget default/web allow an eviction, or run more replicas',
    ],
    ['goesOn', '1 node is held by NodePool default', 'its budget is closed until 18:00', []],
  ]);
});

test('what goes on by itself says when, unless its reason does', () => {
  const until = '2024-03-01T18:00:00Z';
  const tell = (message: string) =>
    attend({ blockers: [aHeldRow('a', { cause: 'budget', message, until })] }).map((item) => item.until);
  expect(tell('the disruption budgets of NodePool default allow 0 nodes')).toEqual([until]);
  expect(tell(`the window is closed until ${until}`)).toEqual([undefined]);
});

test('nodes with the same trouble are told of once', () => {
  const nodes = ['a', 'b'].map((id) => anAttendedNode(id, { stage: 'troubled', answer: 'is not Ready' }));
  expect(attend({ nodes }).map(({ what, why }) => [what, why])).toEqual([['2 nodes do not work', 'each is not Ready']]);
});

test('nodes that wait for an approval are not told of beside the rollout that does', () => {
  const approval: BlockerCause = { cause: 'approval', message: 'wave all needs an approval' };
  const waits = [{ message: 'wave all needs an approval' }];
  const commands = [{ purpose: 'what it waits for', command: 'approve', isNeeded: true }];
  const items = attend({ blockers: [aHeldRow('a', approval)], rollouts: [aRolloutRow('one', { waits, commands })] });
  expect(items.map(({ urgency, what, commands: given }) => [urgency, what, given])).toEqual([
    ['waitsForPerson', 'Rollout one waits: 1 of 3 nodes updated, v1 -> v2', ['approve']],
  ]);
});

test('nobody is told to wait for a budget that no schedule opens', () => {
  const object = { kind: 'NodePool', name: 'default' };
  const cause = { cause: 'budget', message: 'the disruption budgets of NodePool default allow 0 nodes', object };
  const adviceOn = (traits: Partial<BlockerCause>) =>
    attend({ blockers: [aHeldRow('a', { ...cause, ...traits })] }).map(({ urgency, todo }) => [urgency, todo]);
  const widen = 'widen the disruption budgets of NodePool default';
  expect(adviceOn({ isLasting: true })).toEqual([['waitsForPerson', `${widen}: no schedule opens them`]]);
  expect(adviceOn({})).toEqual([['waitsForPerson', `${widen}, or wait`]]);
});

test('nothing is told of a cluster in which all is well', () => {
  expect(
    attend({
      nodes: [anAttendedNode('a', {}), anAttendedNode('b', { stage: 'toMove' })],
      rollouts: [aRolloutRow('one', { endedAt: '2024-03-01T10:00:00Z' })],
    }),
  ).toEqual([]);
});

test('a rollout that goes on says what it leads to, how far it is and when it ends, and speaks for what its policy holds', () => {
  const wave: BlockerCause = {
    cause: 'wave',
    message: 'wave canary has 1 seat, 1 taken',
    object: { kind: 'NodeRolloutPolicy', name: 'production' },
  };
  const rollout = aRolloutRow('one', {
    wave: 'canary',
    waves: [{ name: 'canary', seats: 2, taken: 1, healthy: 1, failed: 0, soakedUntil: '2024-03-01T20:00:00Z' }],
    expectedEnd: '2024-03-02T08:00:00Z',
  });
  const tell = (rollouts: readonly RolloutRow[]) =>
    attend({ blockers: [aHeldRow('a', wave), aHeldRow('b', wave, eviction)], rollouts }).map(({ what, why }) => [
      what,
      why,
    ]);
  const held = ['1 node is held by PodDisruptionBudget default/web', eviction.message];
  expect(tell([rollout])).toEqual([
    held,
    [
      'Rollout one: 1 of 3 nodes updated, v1 -> v2',
      'wave canary: 1 of 2 seats taken, soaked until 2024-03-01T20:00:00Z; expected end 2024-03-02T08:00:00Z',
    ],
  ]);
  expect(tell([{ ...rollout, endedAt: '2024-03-01T10:00:00Z' }])).toEqual([
    held,
    ['2 nodes are held by NodeRolloutPolicy production', wave.message],
  ]);
});

test('a receiver that cannot be told is told of here, with since when and why', () => {
  const trouble = {
    failures: 3,
    since: '2024-03-01T10:00:00Z',
    nextAt: '2024-03-01T12:00:00Z',
    error: 'http://127.0.0.1:9 refuses connections',
  };
  const receiver = { id: 'k', words: 'Slack at https://hooks.slack.com', events: [] };
  const attendReceiver = (traits: object) =>
    attend({ notifications: [{ id: 'production', receivers: [{ ...receiver, ...traits }], messages: [] }] });
  expect(attendReceiver({})).toEqual([]);
  expect(attendReceiver({ trouble })).toMatchObject([
    {
      urgency: 'broken',
      what: 'Slack at https://hooks.slack.com is not told of the rollouts of NodeRolloutPolicy production',
      why: '3 attempts have failed: http://127.0.0.1:9 refuses connections',
      since: trouble.since,
      view: 'rollouts',
    },
  ]);
});

test('objects that hold nodes for the same reason are told of together, where there are many', () => {
  const rows = (count: number): readonly BlockerRow[] =>
    Array.from({ length: count }, (_, index) =>
      aHeldRow(`n${index}`, {
        cause: 'eviction',
        message: `PodDisruptionBudget web/api-${index} never lets pod web/api-${index}-1 go`,
        object: { kind: 'PodDisruptionBudget', name: `web/api-${index}` },
      }),
    );
  const attend = (count: number) =>
    listAttention({ ...emptyDashboard, blockers: [...rows(count), aHeldRow('n0', budget)] }).map(
      ({ what, why, todo }) => [what, why, todo],
    );
  expect(attend(2).map(([what]) => what)).toEqual([
    '1 node is held by PodDisruptionBudget web/api-0',
    '1 node is held by PodDisruptionBudget web/api-1',
    '1 node is held by NodePool default',
  ]);
  expect(attend(5)).toEqual([
    [
      '5 nodes are held by 5 PodDisruptionBudgets',
      'PodDisruptionBudget … never lets pod … go',
      'have PodDisruptionBudget web/api-0, web/api-1, web/api-2 and 2 more allow an eviction, or run more replicas',
    ],
    ['1 node is held by NodePool default', budget.message, undefined],
  ]);
});
