import type { NodeGroup } from '@nodewright/apis';
import type { NodeStanding, UpdateForecast } from '@nodewright/operator';
import { describe, expect, test } from 'vitest';
import { printForecast } from './print-forecast.ts';
import { printHistory, printStatus, troubleOf } from './print-status.ts';

type Status = NonNullable<NodeGroup['status']>;

const aGroup = (status?: Status, spec: NodeGroup['spec'] = { eks: { name: 'workers' } }): NodeGroup => ({
  metadata: { name: 'own' },
  spec,
  ...(status === undefined ? {} : { status }),
});
const at = '2024-01-28T16:00:00Z';
const standing = (name: string, how: NodeStanding['standing']): NodeStanding => ({
  name,
  zone: 'us-east-1a',
  image: 'ami-1',
  standing: how,
});

describe('the status of a group', () => {
  for (const { fact, group, nodes = [], text } of [
    {
      fact: 'that no controller has seen',
      group: aGroup(),
      text: `group    workers (EKS managed)
phase    Pending
reason   no controller has looked at it yet`,
    },
    {
      fact: 'of Auto Scaling that is up to date',
      group: aGroup(
        { phase: 'UpToDate', reason: 'every node is on the target', target: { image: 'ami-2' } },
        { autoScalingGroup: { name: 'plain' } },
      ),
      nodes: [standing('a', 'new'), standing('node-b', 'set apart')],
      text: `group    plain (Auto Scaling group)
phase    UpToDate
reason   every node is on the target
target   ami-2

NODE     ZONE         IMAGE   STANDING
a        us-east-1a   ami-1   new
node-b   us-east-1a   ami-1   set apart`,
    },
    {
      fact: 'that is being updated and has trouble',
      group: aGroup({
        phase: 'Updating',
        reason: 'nodes are replaced',
        target: { release: '1.28.5-20240117', image: 'ami-2' },
        update: { number: 3, id: 'u-1', target: '1.28.5-20240117', phase: 'Upgrade', startedAt: at },
        conditions: [
          {
            type: 'Progressing',
            status: 'False',
            reason: 'CallFailed',
            message: 'Throttling: slow down',
            lastTransitionTime: at,
          },
        ],
      }),
      text: `group     workers (EKS managed)
phase     Updating
reason    nodes are replaced
target    1.28.5-20240117, ami-2
update    number 3 to 1.28.5-20240117, u-1, Upgrade, since 2024-01-28T16:00:00Z
trouble   Throttling: slow down`,
    },
    {
      fact: 'that is blocked tells each obstacle and since when',
      group: aGroup({
        phase: 'Blocked',
        reason: 'QuotaExceeded',
        blockedBy: [
          { reason: 'QuotaExceeded', message: 'no room for 2 instances', since: at },
          { reason: 'EvictionBlocked', message: 'web holds a node', since: at },
        ],
      }),
      text: `group     workers (EKS managed)
phase     Blocked
reason    QuotaExceeded
blocked   no room for 2 instances (since 2024-01-28T16:00:00Z)
blocked   web holds a node (since 2024-01-28T16:00:00Z)`,
    },
  ] satisfies readonly { fact: string; group: NodeGroup; nodes?: readonly NodeStanding[]; text: string }[]) {
    test(fact, () => expect(printStatus(group, nodes)).toBe(text));
  }

  test.each<readonly [string, Status['conditions'], readonly string[]]>([
    ['none without a condition', undefined, []],
    ['none while it progresses', [{ type: 'Progressing', status: 'True', lastTransitionTime: at }], []],
    [
      'the reason without a message',
      [{ type: 'Progressing', status: 'False', reason: 'Slow', lastTransitionTime: at }],
      ['Slow'],
    ],
  ])('trouble is %s', (_, conditions, trouble) => {
    expect(troubleOf(aGroup(conditions === undefined ? {} : { conditions }))).toEqual(trouble);
  });
});

test('the history tells how updates ended and why', () => {
  const ended = { target: 'ami-2', startedAt: at, endedAt: '2024-01-28T17:00:00Z' };
  expect(
    printHistory([
      {
        ...ended,
        number: 2,
        outcome: 'Failed',
        reverted: true,
        code: 'PodEvictionFailure',
        message: 'no luck',
        resourceIds: ['i-1', 'i-2'],
      },
      { ...ended, number: 1, outcome: 'Successful' },
    ]),
  ).toBe(`NUMBER   TARGET   OUTCOME                 STARTED                ENDED                  WHY
2        ami-2    Failed, turned around   2024-01-28T16:00:00Z   2024-01-28T17:00:00Z   PodEvictionFailure no luck i-1 i-2
1        ami-2    Successful              2024-01-28T16:00:00Z   2024-01-28T17:00:00Z`);
  expect(printHistory([])).toBe('no update has ended yet');
});

describe('the plan of an update', () => {
  const forecast: UpdateForecast = {
    verdict: 'update',
    why: '3 nodes are to be replaced',
    from: 'ami-1',
    to: 'ami-2',
    image: 'ami-2',
    strategy: 'DEFAULT',
    parallel: 1,
    nodes: 4,
    outdated: 3,
    warm: 0,
    surge: 2,
    size: { desired: 4, max: 6 },
    peak: { desired: 6, max: 8 },
    zones: [{ zone: 'us-east-1a', nodes: 4, surge: 2, freeAddresses: 100 }],
    quotas: [],
    podsToMove: 7,
    obstacles: [],
    warnings: [],
    expectedSeconds: 601,
  } as unknown as UpdateForecast;
  const lineOf = (more: object, fact: string): readonly string[] =>
    printForecast('workers', { ...forecast, ...more })
      .split('\n')
      .filter((line) => line.startsWith(`${fact} `))
      .map((line) => line.slice(fact.length).trimStart());
  const quota = { vcpus: 4, name: 'Standard', code: 'L-1' };

  test('has its arithmetic, and where the new nodes come', () => {
    expect(printForecast('workers', forecast)).toBe(`group      workers
from       ami-1
to         ami-2
nodes      3 of 4 to replace, 1 at a time, strategy DEFAULT
surge      2: desired 4 to 6, maximum 6 to 8
pods       7 to move
quota      2 instances more; which limit they count against is not known
expected   about 11 minutes
verdict    3 nodes are to be replaced

ZONE         NODES   SURGE     FREE ADDRESSES
us-east-1a   4       up to 2   100`);
  });

  test('of a group that is up to date has no arithmetic', () => {
    const upToDate = { ...forecast, outdated: 0, why: 'every node is on the target' };
    expect(printForecast('workers', upToDate)).toBe(`group     workers
from      ami-1
to        ami-2
verdict   every node is on the target`);
  });

  test.each<readonly [string, object, string, readonly string[]]>([
    ['the image beside the release', { to: '1.28.5-20240117' }, 'to', ['1.28.5-20240117 (ami-2)']],
    ['none where no image may be had', { to: undefined, image: undefined }, 'to', ['none']],
    ['instances of the warm pool', { warm: 2 }, 'warm pool', ['2 instances to launch anew']],
    ['no limit without a surge', { surge: 0 }, 'quota', ['no instance more than now']],
    [
      'what is free of a limit',
      { quotas: [{ ...quota, limit: 100, free: 20 }] },
      'quota',
      ['4 vCPUs more count against "Standard" (L-1): 20 of 100 free'],
    ],
    [
      'why a limit is not known',
      { quotas: [{ ...quota, unknownBecause: 'AccessDenied' }] },
      'quota',
      ['4 vCPUs more count against "Standard" (L-1): how much is free is not known (AccessDenied)'],
    ],
    ['every obstacle', { obstacles: [{ message: 'one' }, { message: 'two' }] }, 'blocks', ['one', 'two']],
    ['every warning', { warnings: ['one', 'two'] }, 'warning', ['one', 'two']],
  ])('tells %s', (_, more, fact, lines) => expect(lineOf(more, fact)).toEqual(lines));
});
