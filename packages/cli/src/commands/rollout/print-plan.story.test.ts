import { disruptionPauses, minutes, type NodeRolloutPolicySpec } from '@nodewright/apis';
import { readRolloutPlans } from '@nodewright/operator';
import { aRolloutFleet, quickWaves, type RolloutFleet } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { printPlan, writePlan } from './print-plan.ts';

/** What people and programs are told of a fleet, minutes after a new image came out for it. */
type Story = {
  readonly nodes?: number;
  readonly policy?: NodeRolloutPolicySpec;
  readonly isPublished?: boolean;
  readonly before?: (fleet: RolloutFleet) => Promise<unknown>;
  readonly after?: (fleet: RolloutFleet) => Promise<unknown>;
  readonly minutesLater: number;
};

async function planOf({ nodes = 3, policy = quickWaves, isPublished = true, before, after, minutesLater }: Story) {
  const fleet = await aRolloutFleet(nodes, policy);
  if (before !== undefined) await fleet.apply(before(fleet));
  if (isPublished) fleet.publish();
  await fleet.advance(minutes(minutesLater));
  if (after !== undefined) {
    await after(fleet);
    await fleet.advance(minutes(1));
  }
  const [outlook] = await fleet.apply(readRolloutPlans(fleet.client, fleet.time.clock.now()));
  await fleet.stop();
  if (outlook === undefined) throw new Error('no policy governs something');
  return { text: printPlan(outlook).replaceAll('.ec2.internal', ''), object: writePlan(outlook) };
}

const atNight = [{ schedule: '0 20 * * *', duration: '1h' }];
const isWindowShut = 'window: no window of the policy is open, until 2024-01-28T20:00:00Z at the earliest';

describe('a plan for people tells', () => {
  test.each<readonly [fact: string, story: Story, text: string]>([
    [
      'of a fleet at rest when a rollout would begin',
      { isPublished: false, minutesLater: 0 },
      'production: no rollout is under way; one begins when another image is wanted than the proven one',
    ],
    [
      'which wave is under way, and counts a node and its replacement once',
      { minutesLater: 1 },
      `production: production-1 is Progressing
WAVE     SEATS   NODES   SOAK   STATE       EARLIEST START         EARLIEST END
canary   1       1       10m    under way   -                      2024-01-28T16:15:00Z
all      3       2       -      to come     2024-01-28T16:15:00Z   2024-01-28T16:15:01Z
nodes in the order in which they go (2):
NODE               OF                 WAITS FOR
ip-192-168-0-3     NodePool/default   wave, pace
ip-192-168-0-2     NodePool/default   wave, pace
wave: wave canary has 1 seat, 1 taken; this move takes 1
pace: a node of NodePool/default was begun less than pace.minInterval ago, until 2024-01-28T16:05:01Z at the earliest
looked at again at 2024-01-28T16:05:01Z at the latest`,
    ],
    [
      'until when a wave soaks',
      { minutesLater: 5 },
      `production: production-1 is Soaking
WAVE     SEATS   NODES   SOAK   STATE       EARLIEST START         EARLIEST END
canary   1       1       10m    under way   -                      2024-01-28T16:15:42Z
all      3       2       -      to come     2024-01-28T16:15:42Z   2024-01-28T16:16:26Z
nodes in the order in which they go (2):
NODE               OF                 WAITS FOR
ip-192-168-0-3     NodePool/default   wave
ip-192-168-0-2     NodePool/default   wave
wave: wave canary has 1 seat, 1 taken; this move takes 1, until 2024-01-28T16:15:42Z at the earliest
looked at again at 2024-01-28T16:15:42Z at the latest`,
    ],
    [
      'no time once the rollout has halted, for only a person leads on',
      { minutesLater: 5, after: (fleet) => fleet.request({ 'nodewright.dev/halt': 'INC-7' }) },
      `production: production-1 is Halted
WAVE     SEATS   NODES   SOAK   STATE     EARLIEST START   EARLIEST END
canary   1       1       10m    halted    -                -
all      3       2       -      to come   -                -
nodes that stay on their image (2):
NODE               OF                 WAITS FOR
ip-192-168-0-3     NodePool/default   halt, wave
ip-192-168-0-2     NodePool/default   halt, wave
halt: the rollout has halted: INC-7
wave: wave canary has 1 seat, 1 taken; this move takes 1
looked at again at 2024-01-28T16:15:42Z at the latest`,
    ],
    [
      'which waves a person has to let begin',
      { nodes: 2, policy: { ...quickWaves, mode: 'Propose' }, minutesLater: 3 },
      `production: production-1 is WaitingForApproval
WAVE     SEATS   NODES   SOAK   STATE                     EARLIEST START         EARLIEST END
canary   1       1       10m    to come, needs approval   2024-01-28T16:07:00Z   2024-01-28T16:17:00Z
all      2       1       -      to come, needs approval   2024-01-28T16:17:00Z   2024-01-28T16:17:00Z
nodes in the order in which they go (2):
NODE               OF                 WAITS FOR
ip-192-168-0-1     NodePool/default   approval
ip-192-168-0-2     NodePool/default   approval
approval: wave canary needs an approval
looked at again at 2024-02-11T16:05:00Z at the latest`,
    ],
    [
      'what a window holds, and which nodes are too old for it',
      {
        nodes: 2,
        policy: { ...quickWaves, windows: atNight, maxAge: { soft: '30m', hard: '1h' } },
        minutesLater: 3,
      },
      `production: production-1 is WaitingForWindow
WAVE     SEATS   NODES   SOAK   STATE       EARLIEST START         EARLIEST END
canary   1       1       10m    under way   -                      2024-01-28T20:10:00Z
all      2       1       -      to come     2024-01-28T20:10:00Z   2024-01-28T20:10:00Z
nodes in the order in which they go (2):
NODE               OF                 WAITS FOR
ip-192-168-0-1     NodePool/default   window
ip-192-168-0-2     NodePool/default   window
${isWindowShut}
maxAge: NodePool/default: 2 of 2 nodes reach maxAge.hard before pace and windows let them go, the first at 2024-01-28T17:00:01Z
lower maxAge.soft, raise pace or windows, or let nodes live longer
looked at again at 2024-01-28T16:30:01Z at the latest`,
    ],
    [
      'which nodes are too old for the windows though no rollout is under way',
      {
        nodes: 2,
        policy: { ...quickWaves, windows: atNight, maxAge: { soft: '30m', hard: '1h' } },
        isPublished: false,
        minutesLater: 0,
      },
      `production: no rollout is under way; one begins when another image is wanted than the proven one
maxAge: NodePool/default: 2 of 2 nodes reach maxAge.hard before pace and windows let them go, the first at 2024-01-28T17:00:01Z
lower maxAge.soft, raise pace or windows, or let nodes live longer`,
    ],
    [
      'why a blackout holds',
      {
        nodes: 1,
        policy: {
          ...quickWaves,
          blackouts: [{ from: '2024-01-01T00:00:00', to: '2024-02-01T00:00:00', reason: 'sale' }],
        },
        minutesLater: 3,
      },
      `production: production-1 is WaitingForWindow
WAVE     SEATS   NODES   SOAK   STATE       EARLIEST START         EARLIEST END
canary   1       1       10m    under way   -                      2024-02-01T00:10:00Z
all      1       0       -      to come     2024-02-01T00:10:00Z   2024-02-01T00:10:00Z
nodes in the order in which they go (1):
NODE               OF                 WAITS FOR
ip-192-168-0-1     NodePool/default   blackout
blackout: a blackout of the policy holds: sale, until 2024-02-01T00:00:00Z at the earliest
looked at again at 2024-02-01T00:00:00Z at the latest`,
    ],
    [
      'no time under a pause that only a person ends',
      {
        nodes: 1,
        before: ({ client }) =>
          client.create(disruptionPauses, { metadata: { name: 'incident-7' }, spec: { reason: 'INC-7' } }),
        minutesLater: 3,
      },
      `production: production-1 is Paused
WAVE     SEATS   NODES   SOAK   STATE       EARLIEST START   EARLIEST END
canary   1       1       10m    under way   -                -
all      1       0       -      to come     -                -
nodes in the order in which they go (1):
NODE               OF                 WAITS FOR
ip-192-168-0-1     NodePool/default   pause
pause: DisruptionPause incident-7: INC-7
looked at again at 2024-02-11T16:05:00Z at the latest`,
    ],
  ])('%s', async (_, story, text) => {
    const { text: told } = await planOf(story);
    // Columns are as wide as the names of the nodes, whose domain is left out here.
    expect(told.replaceAll(/^(NODE|ip-\S+) +/gm, (_all, cell: string) => cell.padEnd(19))).toBe(text);
  });

  test('twenty nodes, and how many more there are; programs get all', async () => {
    const policy = { waves: [{ name: 'all', nodes: '100%' }], windows: atNight };
    const { text, object } = await planOf({ nodes: 22, policy, minutesLater: 3 });
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('ip-'))).toHaveLength(20);
    expect(lines.slice(-3)).toEqual([
      'and 2 more; -o json prints all',
      isWindowShut,
      'looked at again at 2024-01-28T20:00:00Z at the latest',
    ]);
    expect(new Set(object.moves.map(({ node }) => node)).size).toBe(22);
  });
});

test('a plan for programs tells times as times, durations in seconds, and late nodes with what ends them', async () => {
  const policy = { ...quickWaves, windows: atNight, maxAge: { soft: '30m', hard: '1h' } };
  const { object } = await planOf({ nodes: 1, policy, minutesLater: 3 });
  const node = 'ip-192-168-0-1.ec2.internal';
  expect(object).toEqual({
    policy: 'production',
    rollout: 'production-1',
    waves: [
      {
        name: 'canary',
        seats: 1,
        nodes: 1,
        soakSeconds: 600,
        needsApproval: false,
        state: 'underWay',
        earliestEnd: '2024-01-28T20:10:00Z',
      },
      {
        name: 'all',
        seats: 1,
        nodes: 0,
        soakSeconds: 0,
        needsApproval: false,
        state: 'toCome',
        earliestStart: '2024-01-28T20:10:00Z',
        earliestEnd: '2024-01-28T20:10:00Z',
      },
    ],
    moves: [
      {
        node,
        object: 'NodePool/default',
        gates: [{ gate: 'window', message: 'no window of the policy is open', until: '2024-01-28T20:00:00Z' }],
      },
    ],
    lateNodes: [{ node, object: 'NodePool/default', end: '2024-01-28T17:00:01Z', endsBy: 'maxAge.hard' }],
    nextChangeAt: '2024-01-28T16:30:01Z',
  });
});
