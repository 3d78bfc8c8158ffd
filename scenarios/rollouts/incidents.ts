import type { NodeRolloutPolicySpec } from '@nodewright/apis';
import { triedRelease, rolloutWorld, type RolloutWorldTraits } from './rollout-world.ts';

export type RolloutWorld = Awaited<ReturnType<typeof rolloutWorld>>;

/** What a person counts after an incident. */
export type Outcome = {
  /** Nodes that run the new release, or whose machines were launched from it in the last hour. */
  readonly touched: number;
  readonly readyPods: number;
  /** Nodes that still run the new release, where that is asked. */
  readonly left?: number;
  /** The fewest pods that were Ready at any minute, where that is watched. */
  readonly fewestReadyPods?: number;
  /** Why the rollout halted, if it did. */
  readonly halted?: string;
};

/**
 * One incident of others, lived through twice by ten nodes: without a policy as it was, and with the preset standard.
 * More incidents are more rows.
 */
export type Incident = {
  /** As in the list of incidents: R1, R4, ... */
  readonly id: string;
  readonly what: string;
  readonly world: Omit<RolloutWorldTraits, 'policy'>;
  /** What the policy says beside its preset. */
  readonly policy?: NodeRolloutPolicySpec;
  /** What is done, and until when. */
  readonly live: (world: RolloutWorld) => Promise<Partial<Outcome> | void>;
  /** Until when it is lived without a policy, if not as long [as with one]. */
  readonly liveWithout?: (world: RolloutWorld) => Promise<Partial<Outcome> | void>;
  readonly without: (outcome: Outcome) => boolean;
  readonly standard: (outcome: Outcome) => boolean;
};

export const fleetSize = 10;

/** At most the failure budget: one node was touched, and one pod at most does not run. */
const isContained = ({ touched, readyPods }: Outcome): boolean => touched <= 1 && readyPods >= fleetSize - 1;

export const incidents: readonly Incident[] = [
  {
    id: 'R1',
    what: 'machines of an image never join',
    world: { nodes: fleetSize, behavior: 'neverJoins' },
    live: (world) => world.minutesAfterRelease(35),
    without: ({ touched }) => touched > 4,
    standard: (outcome) => isContained(outcome) && outcome.halted === 'FailureBudgetExceeded',
  },
  {
    id: 'R4',
    what: 'kubelets freeze two hours after they were Ready',
    world: { nodes: fleetSize, behavior: 'stopsRenewing' },
    live: (world) => world.minutesAfterRelease(150),
    liveWithout: (world) => world.minutesAfterRelease(20),
    without: ({ touched }) => touched === fleetSize,
    standard: (outcome) => isContained(outcome) && outcome.halted === 'FailureBudgetExceeded',
  },
  {
    id: 'R6',
    what: 'containers fail to start on an image',
    world: { nodes: fleetSize, behavior: 'containersFail' },
    live: (world) => world.minutesAfterRelease(30),
    without: ({ touched, readyPods }) => touched === fleetSize && readyPods <= fleetSize - 3,
    standard: isContained,
  },
  {
    id: 'R3',
    what: 'the vendor takes a release back whose containers fail',
    world: { nodes: fleetSize, behavior: 'containersFail' },
    live: async (world) => {
      await world.minutesAfterRelease(15);
      world.withdraw();
      await world.minutesAfterRelease(35);
      return { left: await world.onNewRelease() };
    },
    liveWithout: (world) => world.minutesAfterRelease(20),
    without: ({ touched }) => touched > 1,
    standard: (outcome) => isContained(outcome) && outcome.left === 0,
  },
  {
    id: 'R30',
    what: 'pods get nodes while a release is tried',
    world: { nodes: fleetSize },
    live: async (world) => {
      await world.minutesAfterRelease(15);
      await world.scale(fleetSize + 2);
      await world.minutesAfterRelease(22);
    },
    without: ({ touched }) => touched > 2,
    standard: ({ touched, readyPods, halted }) => touched === 1 && readyPods === fleetSize + 2 && halted === undefined,
  },
  {
    id: 'R18',
    what: 'nodes that were born together expire together',
    world: { nodes: fleetSize, expireAfter: '50m', isPinned: true },
    policy: { maxAge: { soft: '45m', jitter: '30m' } },
    live: async (world) => {
      await world.until('2024-02-03T16:12:00Z');
      return { fewestReadyPods: await world.fewestReadyPods(62) };
    },
    without: ({ fewestReadyPods = fleetSize }) => fewestReadyPods <= fleetSize / 2,
    standard: ({ fewestReadyPods = 0 }) => fewestReadyPods >= fleetSize - 1,
  },
];

export async function liveThrough(
  { world: traits, policy: more, live, liveWithout = live }: Incident,
  preset?: 'standard',
): Promise<Outcome> {
  const world = await rolloutWorld({ ...traits, ...(preset === undefined ? {} : { policy: { preset, ...more } }) });
  const counted = await (preset === undefined ? liveWithout : live)(world);
  const halted = (await world.rollouts())
    .map(({ status }) => status?.halted?.reason)
    .find((reason) => reason !== undefined);
  const present = (await world.running()).filter((version) => version === triedRelease).length;
  const outcome = {
    touched: Math.max(present, world.everOnNewRelease()),
    readyPods: await world.readyPods(),
    ...(halted === undefined ? {} : { halted }),
    ...counted,
  };
  await world.end();
  return outcome;
}
