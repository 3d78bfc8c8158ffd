import { fromTimestamp, type Pod } from '@nodewright/apis';
import type { PoolSupply } from '@nodewright/engine';
import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { aRound } from '@nodewright/testkit/worlds';
import type { RoundSnapshot } from './observe.ts';
import { planRound, type RoundPlan } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const options = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const;

type Workload = { readonly cpu: number; readonly count: number; readonly isSpread: boolean };

const aWorkload = (): fc.Arbitrary<Workload> =>
  fc.record({ cpu: fc.integer({ min: 1, max: 6 }), count: fc.integer({ min: 1, max: 12 }), isSpread: fc.boolean() });

const spread = [
  {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'spread' } },
  },
] as const;

const podsOf = (workloads: readonly Workload[]): readonly Pod[] =>
  workloads.flatMap(({ cpu, count, isSpread }, number) =>
    Array.from({ length: count }, (_, index) =>
      aPod(`w${number}-${index}`, {
        requests: { cpu: String(cpu) },
        ...(isSpread ? { labels: { app: 'spread' }, topologySpreadConstraints: spread } : {}),
      }),
    ),
  );

/** A snapshot of which no object has been seen before: nothing is remembered of it. */
function aFreshRound(workloads: readonly Workload[], workLimit: number): RoundSnapshot {
  const supply: PoolSupply = {
    nodePool: aNodePool(),
    instanceTypes: [4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu })),
  };
  return aRound({ supplies: [supply], nodes: [aNode('n')], pending: podsOf(workloads), workLimit });
}

/** What a plan does, without the names that the API server gives. */
const printPlan = ({ create, nominate, unschedulable, deferred, unreached, zones }: RoundPlan): string =>
  JSON.stringify({
    create: create.map(({ claim, newNode, because }) => [claim, newNode.pods, because]),
    nominate: nominate.map(({ node, pods }) => [node.node?.metadata.name, pods]),
    unschedulable,
    deferred,
    unreached,
    zones: [...zones],
  });

afterEach(() => vi.restoreAllMocks());

/** Clocks that run at any speed, in any direction. */
function shuffleClocks(instants: readonly number[]): void {
  let looks = 0;
  const read = (): number => instants[(looks += 1) % instants.length] ?? 0;
  vi.spyOn(Date, 'now').mockImplementation(read);
  vi.spyOn(performance, 'now').mockImplementation(read);
  vi.spyOn(process, 'hrtime').mockImplementation(() => [read(), 0]);
}

const someInstants = () => fc.array(fc.integer({ min: 0, max: 1e12 }), { minLength: 1, maxLength: 8 });

test('equal snapshots have equal plans, whatever any clock shows, and wherever the limit of work falls', () => {
  fc.assert(
    fc.property(
      fc.array(aWorkload(), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 400 }),
      fc.tuple(someInstants(), someInstants()),
      (workloads, workLimit, [first, second]) => {
        const snapshot = aFreshRound(workloads, workLimit);
        shuffleClocks(first);
        const plan = printPlan(planRound(snapshot, options, now));
        shuffleClocks(second);
        expect(printPlan(planRound(snapshot, options, now))).toBe(plan);
        expect(printPlan(planRound(aFreshRound(workloads, workLimit), options, now))).toBe(plan);
      },
    ),
    { numRuns: 60 },
  );
});

test('a larger limit reaches no fewer pods', () => {
  fc.assert(
    fc.property(
      fc.array(aWorkload(), { minLength: 1, maxLength: 5 }),
      fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 })),
      (workloads, [limit, more]) => {
        const reached = (workLimit: number) => planRound(aFreshRound(workloads, workLimit), options, now).unreached;
        expect(reached(limit + more)).toBeLessThanOrEqual(reached(limit));
      },
    ),
    { numRuns: 60 },
  );
});
