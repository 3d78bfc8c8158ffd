import {
  daemonSets,
  days,
  deployments,
  ec2NodeClasses,
  hours,
  instant,
  type Instant,
  minutes,
  nodePools,
  nodeRolloutPolicies,
  podDisruptionBudgets,
  type ResourceType,
  statefulSets,
} from '@nodewright/apis';
import {
  budgetManifest,
  classManifest,
  policyManifest,
  poolManifest,
  workloadManifest,
} from '../histories/manifests.ts';
import { type History, simulationStart, type WorkloadPlan } from '../histories/history.ts';
import type { OperatorFlaw } from './operator-process.ts';
import { performHistoryStep } from './perform-history-step.ts';
import { createSimulatedWorld, type FoundBroken, simulatedCluster, type SimulatedWorld } from './simulated-world.ts';
import { tidyUp } from './tidy-up.ts';
import { findUnrest, finalReplicas } from './unrest.ts';

export type PlayOptions = {
  readonly log?: (line: string) => void;
  /** What the controllers are broken with, on purpose. */
  readonly flaw?: OperatorFlaw;
  /** Whether the end is no longer waited for: the play stops where it is. */
  readonly isOver?: () => boolean;
};

export type PlayedHistory = {
  /** What did not hold; empty when everything did. */
  readonly broken: readonly FoundBroken[];
  /** Whether it was played to its end. */
  readonly isComplete: boolean;
  /** Virtual milliseconds. */
  readonly virtualMs: number;
  readonly launches: number;
  readonly deaths: number;
  /** The same for the same history. */
  readonly digest: string;
};

/**
 * A world that is not at rest so long after the faults ended is broken, in milliseconds. The waves of presets soak for
 * up to four days, twice where they wait for the hours of a window.
 */
const longestUnrestMs = ({ cluster: { policy } }: History): number =>
  policy !== undefined && policy.waves === undefined ? days(9) : hours(6);

/** A world at rest stays so for a while. */
const restMs = minutes(20);

/** Plays a history to its end, or until an invariant does not hold. */
export async function playHistory(history: History, options: PlayOptions = {}): Promise<PlayedHistory> {
  const { kubernetesVersion, operators, isTold = false } = history.cluster;
  const { isOver = () => false, ...rest } = options;
  const world = await createSimulatedWorld({ seed: history.seed, kubernetesVersion, operators, isTold, ...rest });
  const play = { world, history, isOver };
  const isComplete = (await playSteps(play)) && (await awaitRest(play));
  const result = {
    isComplete,
    broken: [...world.broken],
    virtualMs: world.time.clock.now() - simulationStart,
    launches: world.observer.launchCount,
    deaths: world.operators.reduce((sum, { lives }) => sum + lives - 1, 0),
    digest: world.digest(),
  };
  await world.stop();
  return result;
}

type Play = { readonly world: SimulatedWorld; readonly history: History; readonly isOver: () => boolean };

/** @returns whether the play goes on: every invariant holds, and the end is waited for */
async function playSteps(play: Play): Promise<boolean> {
  const { world, history } = play;
  await createCluster(world, history);
  for (const step of history.steps) {
    if (!(await passUntil(play, instant(simulationStart + minutes(step.at))))) return false;
    await performHistoryStep(world, step, history);
  }
  return passUntil(play, instant(simulationStart + minutes(history.minutes)));
}

async function passUntil({ world: { time, broken }, isOver }: Play, until: Instant): Promise<boolean> {
  if (await time.runUntil(() => broken.length > 0 || isOver(), { before: until })) return false;
  await time.run(until);
  return true;
}

async function createCluster({ sandbox: { admin }, time }: SimulatedWorld, { cluster }: History): Promise<void> {
  const { pools, workloads, policy } = cluster;
  for (const family of new Set(pools.map((pool) => pool.family)))
    await time.finish(admin.create(ec2NodeClasses, classManifest(family, simulatedCluster.name)));
  for (const pool of pools) await time.finish(admin.create(nodePools, poolManifest(pool)));
  if (policy !== undefined) await time.finish(admin.create(nodeRolloutPolicies, policyManifest(policy)));
  for (const workload of workloads) {
    await time.finish(admin.create(typeOfWorkload(workload), workloadManifest(workload)));
    if (workload.maxUnavailable !== undefined)
      await time.finish(admin.create(podDisruptionBudgets, budgetManifest(workload, workload.maxUnavailable)));
  }
}

const typeOfWorkload = ({ kind }: WorkloadPlan): ResourceType =>
  ({ Deployment: deployments, StatefulSet: statefulSets, DaemonSet: daemonSets })[kind];

/** Ends the faults, lets the world come to rest, and tells of it. @returns whether it got so far */
async function awaitRest(play: Play): Promise<boolean> {
  const { world, history } = play;
  const { time, observer } = world;
  await tidyUp(world, history);
  const wanted = finalReplicas(history);
  const end = instant(time.clock.now() + longestUnrestMs(history));
  let since: Instant | undefined;
  for (;;) {
    const unrest = findUnrest(observer, wanted);
    const now = time.clock.now();
    since = unrest.length === 0 ? (since ?? now) : undefined;
    const isRested = since !== undefined && now - since >= restMs;
    if (isRested || now >= end) {
      world.tell({ kind: 'rested', since: isRested ? since : undefined, unrest });
      return true;
    }
    if (!(await passUntil(play, instant(now + minutes(1))))) return false;
  }
}
