import { instant } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import type { PoolSupply } from '@nodewright/engine';
import { aNode, aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { aClaim, printEntries, aRound } from '@nodewright/testkit/worlds';
import type { RoundSnapshot } from './observe.ts';
import { planRound, type RoundPlan } from './plan.ts';
import {
  reportClaimCreation,
  reportFirstDecisions,
  reportFutileLaunches,
  reportLateLaunches,
  reportNominations,
  reportRound,
  reportRoundAtWork,
  reportRoundEnd,
  reportUnnotedShortage,
  reportUnreached,
  reportUnstoredFutility,
  reportUntoldBuffer,
} from './report.ts';

const now = instant(0);
const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const;
const supply: PoolSupply = { nodePool: aNodePool(), instanceTypes: [anInstanceType('c4', { cpu: 4 })] };

const reported = (seen: RoundSnapshot, plan: RoundPlan = planRound(seen, options, now)): readonly string[] =>
  printEntries(reportRound({ seen, plan, options, untold: [], tookMs: 1_500 }));

const [nothingIgnored, solved] = ['podsIgnored 0', 'roundSolved "provisioner", 1500'];

describe('a round reports', () => {
  test('numbers alone when nothing waits', () => {
    expect(reported(aRound({ supplies: [supply] }))).toEqual([
      nothingIgnored,
      solved,
      'podsPendingByZone "provisioner", []',
      'podsUnschedulable "provisioner", 0',
    ]);
  });

  test('what it found for pods that wait', () => {
    const pending = somePods(7, 'web', { requests: { cpu: '500m' } });
    expect(reported(aRound({ supplies: [supply], pending })).slice(1, 4)).toEqual([
      'info found provisionable pod(s) {"Pods":"default/web-1, default/web-2, default/web-3, default/web-4, default/web-5 and 2 other(s)","duration":"1.5s"}',
      'info computed new nodeclaim(s) to fit pod(s) {"nodeclaims":1,"pods":7}',
      solved,
    ]);
  });

  test('a nomination for each pod that has room on a node, by its claim and node', () => {
    const seen = aRound({
      supplies: [supply],
      nodes: [aNode('n')],
      pending: [aPod('web', { requests: { cpu: '1' } })],
    });
    expect(reported(seen)).toContain(
      'Normal Nominated Pod/web: Pod should schedule on: nodeclaim/n-claim, node/n (uid-default-web) at most 5 a second',
    );
  });

  test('that nodes in flight take pods, beside new ones', () => {
    const inFlight = aNode('n', { stage: 'inFlight' });
    const pending = [aPod('a', { requests: { cpu: '3' } }), aPod('b', { requests: { cpu: '3' } })];
    const lines = reported(aRound({ supplies: [supply], nodes: [inFlight], pending }));
    expect(lines).toContain('info computed unready node(s) will fit pod(s) {"nodes":1,"pods":1}');
    expect(lines.filter((line) => line.startsWith('Normal Nominated'))).toEqual([
      expect.stringContaining('Pod should schedule on: nodeclaim/n-claim ('),
    ]);
  });

  test('why pods have no place: an event for each, a line for those that lack the same', () => {
    const pending = somePods(3, 'huge', { requests: { cpu: '900' } });
    const lines = reported(aRound({ supplies: [supply], pending }));
    const events = lines.filter((line) => line.startsWith('Warning FailedScheduling'));
    expect(events).toHaveLength(3);
    for (const line of events)
      expect(line).toMatch(/Failed to schedule pod, .*\(uid-default-huge-\d, .*\) every 300 s$/);
    const logged = lines.filter((line) => line.startsWith('error could not schedule pod'));
    expect(logged).toEqual([expect.stringContaining('{"Pod":{"namespace":"default","name":"huge-1"},"error":')]);
    expect(logged[0]).toMatch(/,"pods":3\}$/);
    expect(lines).toContain('podsUnschedulable "provisioner", 3');
  });

  test('pods that ask for the impossible, and only counts those that are meant for others', () => {
    const ignored = [
      { pod: aPod('odd'), complaint: { kind: 'invalid', message: 'it asks for nothing that is' } as const },
      { pod: aPod('foreign'), complaint: { kind: 'notOurs' } as const },
    ];
    expect(reported(aRound({ supplies: [supply], ignored })).slice(0, 3)).toEqual([
      'podsIgnored 2',
      'debug ignoring pod {"Pod":{"namespace":"default","name":"odd"},"error":"it asks for nothing that is"}',
      'Warning FailedScheduling Pod/odd: Failed to schedule pod, it asks for nothing that is (uid-default-odd, it asks for nothing that is) every 300 s',
    ]);
  });

  test('every pool that it passes over', () => {
    const error = new CloudError('throttled', { code: 'Throttled', retry: 'backOff' });
    const seen = aRound({
      supplies: [supply],
      notReady: [aNodePool('new')],
      failed: [{ nodePool: aNodePool('broken'), error }],
      unevaluated: [aNodePool('overlaid')],
    });
    expect(reported(seen).slice(1, 4)).toEqual([
      'error ignoring nodepool, not ready {"NodePool":{"name":"new"}}',
      'error skipping, unable to resolve instance types {"NodePool":{"name":"broken"},"error":"throttled"}',
      'debug skipping, node overlays are not evaluated yet {"NodePool":{"name":"overlaid"}}',
    ]);
  });

  for (const { fact, pool, log, message, also = {} } of [
    {
      fact: 'a pool without any type',
      pool: { nodePool: aNodePool(), instanceTypes: [] },
      log: 'skipping, no resolved instance types found',
      message: 'NodePool requirements filtered out all compatible available instance types',
    },
    {
      fact: 'a pool with too few types for its minValues',
      pool: {
        nodePool: aNodePool('default', {
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 3 }],
        }),
        instanceTypes: supply.instanceTypes,
      },
      log: 'skipping, nodepool requirements filtered out all instance types',
      message:
        'NodePool requirements filtered out all compatible available instance types due to minValues incompatibility',
      also: { minValues: 'node.kubernetes.io/instance-type has 1 of 3' },
    },
  ] as readonly { fact: string; pool: PoolSupply; log: string; message: string; also?: object }[]) {
    test(`${fact}, while pods wait`, () => {
      const told = [
        `info ${log} ${JSON.stringify({ NodePool: { name: 'default' }, ...also })}`,
        `Warning NoCompatibleInstanceTypes NodePool/default: ${message} (uid-default) every 60 s`,
      ];
      const [, ...lines] = reported(aRound({ supplies: [pool], pending: [aPod('web')] }));
      expect(lines.slice(0, 2)).toEqual(told);
      expect(reported(aRound({ supplies: [pool] }))).not.toEqual(expect.arrayContaining(told));
    });
  }

  test('as many reasons as an event has room for, and where the others are', () => {
    const reasons = Array.from({ length: 40 }, (_, index) => `reason ${index} with some words more`);
    const seen = aRound({ supplies: [supply] });
    const plan = planRound(seen, options, now);
    const unplaced = { pod: aPod('web'), reasons, because: 'many', signature: 's' };
    const event = reported(seen, { ...plan, unschedulable: [unplaced] }).find((line) => line.startsWith('Warning'));
    expect(event).toContain('reason 0 with');
    expect(event).not.toContain('reason 39');
    expect(event).toContain('and more: nodewright explain pod default/web tells all');
  });
});

describe('a round without a pool to launch from', () => {
  const unready = (conditions: readonly { readonly type: string; readonly status: 'False' | 'Unknown' }[]) => ({
    ...aNodePool('new'),
    status: { conditions },
  });
  const failedScheduling = (seen: RoundSnapshot) =>
    reported(seen).filter((line) => line.startsWith('Warning FailedScheduling'));
  const pending = [aPod('web')];

  test('says so, and counts nothing', () => {
    expect(reported(aRound({ pending }))).toEqual([nothingIgnored, 'info no dynamic nodepools found {}']);
  });

  test('tells pods why once a pool is known not to be ready', () => {
    const pool = unready([{ type: 'NodeClassReady', status: 'False' }]);
    expect(failedScheduling(aRound({ pending, notReady: [pool] }))).toHaveLength(1);
  });

  test('tells pods nothing while a pool is only about to be ready', () => {
    const pool = unready([{ type: 'NodeClassReady', status: 'Unknown' }]);
    expect(failedScheduling(aRound({ pending, notReady: [pool] }))).toEqual([]);
  });
});

const claim = aClaim('one');
const newNode = { nodePool: aNodePool(), requests: { cpu: 1_500 }, instanceTypes: supply.instanceTypes, claim };

for (const { fact, entries, told } of [
  {
    fact: 'a round at work has gauges',
    entries: reportRoundAtWork('7', 12, 30),
    told: ['roundAtWork {"controller":"provisioner","id":"7"}, 12, 30'],
  },
  {
    fact: 'the gauges of a round end with it',
    entries: reportRoundEnd('7'),
    told: ['roundEnded {"controller":"provisioner","id":"7"}'],
  },
  {
    fact: 'each first decision is measured',
    entries: reportFirstDecisions([10, 20]),
    told: ['podDecided 10', 'podDecided 20'],
  },
  {
    fact: 'a claim that is created is logged with what it may become, and counted',
    entries: reportClaimCreation(newNode, 'drifted'),
    told: [
      'info created nodeclaim {"NodePool":{"name":"default"},"NodeClaim":{"name":"one"},"requests":{"cpu":"1500m"},"instance-types":"c4"}',
      'claimCreated one, "drifted"',
    ],
  },
  {
    fact: 'pods hear of the claim that was created for them',
    entries: reportNominations([aPod('web')], 'nodeclaim/one'),
    told: ['Normal Nominated Pod/web: Pod should schedule on: nodeclaim/one (uid-default-web) at most 5 a second'],
  },
  {
    fact: 'a round that reached its limit says how many pods are left',
    entries: reportUnreached(9),
    told: ['info launching what is found so far, others follow {"pods":9}'],
  },
  {
    fact: 'launches that do not come about are named',
    entries: reportLateLaunches([claim], 40_000),
    told: ['error pods wait for nodeclaims that are not launched {"NodeClaims":"one","duration":"40s"}'],
  },
  {
    fact: 'a node that was launched in vain is logged with the reason',
    entries: reportFutileLaunches('default', [
      {
        schedulingClass: 'abc',
        node: 'n',
        why: 'taint',
        attempts: 2,
        launchedAt: now,
        judgedAt: now,
        until: now,
        pools: new Map<string, string>(),
      },
    ]),
    told: [
      'info pods do not bind to the node that was launched for them, launching no more for such pods {"NodePool":{"name":"default"},"Node":{"name":"n"},"attempts":2,"reason":"taint"}',
    ],
  },
  {
    fact: 'a judgement that could not be stored is logged',
    entries: reportUnstoredFutility('default', new Error('conflict')),
    told: [
      'debug could not store which nodes were launched in vain {"NodePool":{"name":"default"},"error":"conflict"}',
    ],
  },
  {
    fact: 'a shortage that could not be stored is logged',
    entries: reportUnnotedShortage('default', new Error('conflict')),
    told: ['debug could not write down what is out of capacity {"EC2NodeClass":{"name":"default"},"error":"conflict"}'],
  },
  {
    fact: 'a buffer that could not be told is logged',
    entries: reportUntoldBuffer('default/spare', new Error('conflict')),
    told: ['debug could not tell a capacity buffer {"CapacityBuffer":"default/spare","error":"conflict"}'],
  },
]) {
  test(fact, () => expect(printEntries(entries)).toEqual(told));
}
