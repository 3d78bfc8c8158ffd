import { days, hours, minutes, type NodeRolloutPolicySpec, seconds, toTimestamp } from '@nodewright/apis';
import { type Random, seededRandom } from '@nodewright/runtime';
import { findBrokenInvariants, SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';

const limits = { maxPerHour: 12, maxSurge: 3 };
const pace = { ...limits, minInterval: '1m', slot: '30m' };

const policies: readonly NodeRolloutPolicySpec[] = [
  { preset: 'fast', pace },
  { preset: 'standard', pace, onHalt: 'Rollback' },
  { preset: 'fast', pace, newTarget: 'Supersede', health: { variants: 'Independent' } },
  { preset: 'fast', pace, windows: [{ schedule: '0 20 * * *', duration: '8h', timeZone: 'Europe/Berlin' }] },
  { preset: 'fast', pace: { ...pace, order: 'TerminateFirst' } },
  { preset: 'cautious', pace, health: { withoutEvidence: 'Proceed', failureBudget: 1 } },
];

const poolsOf = (random: Random) =>
  random.pick([
    [{ name: 'a', nodes: 6 }],
    [
      { name: 'a', nodes: 5 },
      { name: 'b', nodes: 3 },
    ],
    [
      { name: 'a', nodes: 5 },
      { name: 'arm', nodes: 2, variant: 'AL2023/arm64/none' },
    ],
  ]);

const hasEndpoint = ({ services }: SimulatedFleet, node: string): boolean =>
  services.some(({ nodes }) => nodes.includes(node));

/** Nodes that are not on their way out. */
function steadyNodes({ nodes, policy }: SimulatedFleet): string[] {
  const admitted = new Set((policy.status?.admitted ?? []).map(({ node }) => node));
  return nodes.filter(({ leaving, name }) => !leaving && !admitted.has(name)).map(({ name }) => name);
}

/** Something that happens to a fleet by itself or by the hand of a person. */
function disturb(fleet: SimulatedFleet, random: Random): void {
  const node = fleet.nodes.length === 0 ? undefined : random.pick(fleet.nodes);
  const rollout = fleet.rollouts.at(-1)?.metadata.name ?? '';
  const ask = (kind: 'halt' | 'resume' | 'rollback') =>
    fleet.requests.push({ rollout, kind, value: `for ${kind}`, by: 'person', at: fleet.now });
  switch (random.integer(40)) {
    case 0:
      fleet.publish(
        `v${fleet.rollouts.length + 2 + random.integer(2)}`,
        random.pick([{}, {}, { neverJoins: true }, { freezesAfterMs: minutes(40) }, { breaksStarts: 0.3 }]),
      );
      return;
    case 1:
      if (node !== undefined) fleet.killNode(node.name);
      return;
    case 2:
    case 3:
      fleet.launchOrdinary(node?.object ?? 'NodePool/a', node?.variant);
      return;
    case 4:
      if (node !== undefined && fleet.nodes.length > 4 && !hasEndpoint(fleet, node.name)) fleet.removeNode(node.name);
      return;
    case 5:
      if (node !== undefined) fleet.blockedPods.set(node.name, { pod: 'shop/db-0', podDisruptionBudget: 'db' });
      return;
    case 6:
      fleet.blockedPods.clear();
      return;
    case 7:
      ask(random.pick(['halt', 'resume', 'resume', 'rollback']));
      return;
    case 8:
      fleet.pauses = [
        {
          metadata: { name: 'incident' },
          spec: { reason: 'INC', until: toTimestamp(fleet.now), inFlight: random.pick(['Finish', 'Revert'] as const) },
        },
      ];
      return;
    case 9:
      fleet.pauses = fleet.pauses.map((pause) => ({
        ...pause,
        spec: { ...pause.spec, until: '2027-01-01T00:00:00Z' },
      }));
      return;
    case 10:
      fleet.pauses = [];
      return;
    case 11:
      fleet.objects = fleet.objects.map((object) => ({
        ...object,
        backOff: { until: (fleet.now + minutes(30)) as typeof fleet.now, because: 'no capacity' },
      }));
      return;
    case 12:
      for (const { image } of fleet.wanted)
        if (random.next() < 0.3 && !image.startsWith('ami-1-')) fleet.withdrawn.add(image);
      return;
    case 13:
      fleet.services = [{ service: 'shop/web', nodes: steadyNodes(fleet).slice(0, 2) }];
      return;
    default:
  }
}

/** A pause or a closed calendar keeps everything from beginning, but for rollbacks the calendar. */
function findWrongBeginnings(fleet: SimulatedFleet, before: number): readonly string[] {
  const begun = (fleet.policy.status?.admitted ?? []).filter(({ at }) => at === toTimestamp(fleet.now));
  const isPaused = fleet.pauses.some(({ spec }) => spec.until === undefined || Date.parse(spec.until) > fleet.now);
  return isPaused && begun.length > 0 && before < fleet.now ? [`4: ${begun.length} nodes begin under a pause`] : [];
}

function liveThrough(seed: number): SimulatedFleet {
  const random = seededRandom(`rollout-${seed}`);
  const policy = random.pick(policies);
  const fleet = new SimulatedFleet({
    random: random.fork('fleet'),
    policy,
    pools: poolsOf(random),
    startsPerHour: random.pick([0, 2, 30]),
  });
  fleet.reconcile();
  for (let step = 0; step < 120; step += 1) {
    disturb(fleet, random);
    const before = fleet.now;
    fleet.advanceTime(random.pick([seconds(1), minutes(1), minutes(7), minutes(20), hours(1)]));
    fleet.reconcile(random.next() < 0.2 ? random.integer(6) : Infinity);
    const broken = [...findBrokenInvariants(fleet, limits), ...findWrongBeginnings(fleet, before)];
    if (broken.length > 0) throw new Error(`seed ${seed}, step ${step}: ${broken.join('; ')}`);
  }
  return fleet;
}

const histories = 50;

test('every invariant holds after every step of random histories, with deaths between any two writes', () => {
  for (let seed = 0; seed < histories; seed += 1) liveThrough(seed);
});

test('what is neither halted, paused nor waiting for a person comes to its end', () => {
  for (let seed = 0; seed < histories / 10; seed += 1) {
    const fleet = liveThrough(seed);
    fleet.pauses = [];
    fleet.blockedPods.clear();
    fleet.objects = fleet.objects.map(({ backOff: _backOff, ...object }) => object);
    for (let step = 0; step < 400; step += 1) {
      fleet.advanceTime(hours(1));
      if (step % 10 === 0 && fleet.nodes.length < 4) fleet.launchOrdinary('NodePool/a');
      fleet.reconcile();
    }
    const states = new Set(['Complete', 'Halted', undefined]);
    const last = fleet.rollouts.at(-1);
    if (!states.has(last?.status?.state))
      throw new Error(`seed ${seed}: ${last?.status?.state} ${JSON.stringify(fleet.plan?.held)}`);
  }
});

test('a plan is the same after a restart, and one that is stored and performed asks for nothing new', () => {
  for (let seed = 0; seed < histories / 10; seed += 1) {
    const fleet = liveThrough(seed);
    fleet.reconcile();
    const again = fleet.reconcile();
    const { statuses, ...rest } = again;
    const { statuses: later, ...others } = fleet.reconcile();
    expect([seed, [...later], others]).toEqual([seed, [...statuses], rest]);
    expect(again.happenings).toEqual([]);
  }
});

test('a bad image reaches no more nodes than the canary has seats, and those in flight at the halt', () => {
  for (let seed = 0; seed < histories / 10; seed += 1) {
    const random = seededRandom(`bad-${seed}`);
    const fleet = new SimulatedFleet({
      random: random.fork('fleet'),
      policy: { preset: 'standard' },
      pools: poolsOf(random),
    });
    fleet.reconcile();
    fleet.publish('v2', random.pick([{ neverJoins: true }, { freezesAfterMs: hours(7) }, { breaksStarts: 0.1 }]));
    for (let passed = 0; passed < days(2); passed += minutes(10)) {
      fleet.advanceTime(minutes(10));
      if (random.next() < 0.05) fleet.launchOrdinary('NodePool/a');
      fleet.reconcile(random.next() < 0.2 ? random.integer(6) : Infinity);
    }
    const seats = fleet.rollouts[0]?.status?.waves?.[0]?.seats ?? 0;
    const bad = fleet.launches.filter(({ image }) => image.startsWith('ami-v2')).length;
    expect([seed, bad <= seats, fleet.rollouts[0]?.status?.state]).toEqual([seed, true, 'Halted']);
  }
});
