import { byNumberOf } from '@nodewright/apis';
import type { Fault, NodeBehavior } from '@nodewright/aws-endpoints';
import type { Random } from '@nodewright/runtime';
import { drawBudgets } from './draw-cluster.ts';
import { drawPolicy } from './draw-policy.ts';
import type { ClusterPlan, HistoryStep, StepAction, StepKind } from './history.ts';

type StepDrawing = (random: Random, cluster: ClusterPlan) => StepAction;

const badBehaviors: readonly NodeBehavior[] = [
  'neverJoins',
  'joinsLate',
  'notReady',
  'containersFail',
  'stopsRenewing',
];

const anyFamily = (random: Random, { pools }: ClusterPlan) => random.pick(pools).family;
const anyPool = (random: Random, { pools }: ClusterPlan): string => random.pick(pools).name;
const anyNth = (random: Random): number => random.integer(1_000);
const lengthOfTrouble = (random: Random): number => random.pick([2, 5, 15, 45, 120]);

const releaseStep: StepDrawing = (random, cluster) => ({
  do: 'release',
  family: anyFamily(random, cluster),
  behavior: random.next() < 0.7 ? 'healthy' : random.pick(badBehaviors),
});

const scaleStep: StepDrawing = (random, { workloads }) => {
  const { name, replicas } = random.pick(workloads.filter(({ kind }) => kind !== 'DaemonSet'));
  return { do: 'scale', workload: name, replicas: random.integer(2 * replicas + 1) };
};

/** How each kind is drawn. */
const drawings: Readonly<Record<StepKind, StepDrawing>> = {
  release: releaseStep,
  withdraw: (random, cluster) => ({ do: 'withdraw', family: anyFamily(random, cluster) }),
  block: (random, cluster) => ({
    do: 'block',
    family: anyFamily(random, cluster),
    minutes: random.pick([30, 240, 1_440]),
    ...(random.next() < 0.3 && { verdict: 'Expedited' as const }),
  }),
  prove: (random, cluster) => ({
    do: 'prove',
    family: anyFamily(random, cluster),
    verdict: random.pick(['Proven', 'Proven', 'Proven', 'Halted', 'Spoiled']),
  }),
  unrule: () => ({ do: 'unrule' }),
  scale: scaleStep,
  relabel: (random, cluster) => ({ do: 'relabel', pool: anyPool(random, cluster), value: random.nameSuffix(4) }),
  rebudget: (random, cluster) => ({ do: 'rebudget', pool: anyPool(random, cluster), budgets: drawBudgets(random) }),
  consolidate: (random, cluster) => ({
    do: 'consolidate',
    pool: anyPool(random, cluster),
    policy: random.pick(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']),
    after: random.pick(['0s', '1m', '20m', 'Never']),
  }),
  limit: (random, cluster) => ({ do: 'limit', pool: anyPool(random, cluster), cpu: 4 + random.integer(40) }),
  protect: (random) => ({
    do: 'protect',
    what: random.pick(['pods', 'pods', 'nodes']),
    nth: anyNth(random),
    minutes: random.pick([10, 60, 600]),
  }),
  fault: (random) => ({ do: 'fault', fault: drawFault(random), minutes: lengthOfTrouble(random) }),
  misbehave: (random) => ({
    do: 'misbehave',
    nth: anyNth(random),
    behavior: random.pick(['stopsRenewing', 'notReady', 'containersFail']),
    minutes: lengthOfTrouble(random),
  }),
  interrupt: (random) => ({ do: 'interrupt', nth: anyNth(random) }),
  lose: (random) => ({ do: 'lose', nth: anyNth(random) }),
  delete: (random) => ({ do: 'delete', what: random.pick(['pods', 'nodes', 'nodeclaims']), nth: anyNth(random) }),
  evict: (random) => ({ do: 'evict', nth: anyNth(random) }),
  crash: (random) => ({
    do: 'crash',
    afterWrites: 1 + random.integer(12),
    downSeconds: random.pick([1, 1, 20, 300]),
  }),
  'hand-over': () => ({ do: 'hand-over' }),
  outage: (random) => ({ do: 'outage', of: random.pick(['kubernetes', 'aws']), minutes: random.pick([1, 5, 20]) }),
  policy: (random) => ({ do: 'policy', policy: drawPolicy(random) }),
  unpolicy: () => ({ do: 'unpolicy' }),
  pause: (random) => ({
    do: 'pause',
    minutes: random.pick([5, 20, 60]),
    inFlight: random.pick(['Finish', 'Revert']),
    ...(random.next() < 0.3 && { only: [random.pick(['Drifted', 'Empty', 'Underutilized', 'Expired'] as const)] }),
  }),
  ask: (random) => ({
    do: 'ask',
    request: random.pick(['approve', 'approve', 'halt', 'resume', 'resume', 'rollback', 'skip-soak']),
  }),
  upgrade: (_, { kubernetesVersion }) => ({ do: 'upgrade', version: nextMinor(kubernetesVersion) }),
};

/** How often each kind comes, as a share of all. */
const kindWeights: Readonly<Record<StepKind, number>> = {
  release: 8,
  withdraw: 1,
  block: 2,
  prove: 3,
  unrule: 1,
  scale: 10,
  relabel: 4,
  rebudget: 4,
  consolidate: 3,
  limit: 1,
  protect: 5,
  fault: 10,
  misbehave: 3,
  interrupt: 4,
  lose: 3,
  delete: 4,
  evict: 2,
  crash: 9,
  'hand-over': 3,
  outage: 3,
  upgrade: 1,
  policy: 2,
  unpolicy: 1,
  pause: 2,
  ask: 4,
};

export const stepKinds = Object.keys(kindWeights) as readonly StepKind[];

/** Draws what happens, in order. `only` leaves out all other kinds. */
export function drawSteps(
  random: Random,
  cluster: ClusterPlan,
  { count, minutes, only }: { readonly count: number; readonly minutes: number; readonly only?: StepKind },
): readonly HistoryStep[] {
  const kinds =
    only === undefined ? stepKinds.flatMap((kind) => Array<StepKind>(kindWeights[kind]).fill(kind)) : [only];
  return Array.from({ length: count }, () => ({
    at: Math.round(random.next() * minutes * 100) / 100,
    ...drawings[random.pick(kinds)](random, cluster),
  })).toSorted(byNumberOf(({ at }) => at));
}

const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
const troubledOperations = [
  'CreateFleet',
  'DescribeInstances',
  'TerminateInstances',
  'CreateLaunchTemplate',
  'CreateTags',
] as const;

/** Every kind of fault that can concern a controller without node groups. */
function drawFault(random: Random): Fault {
  const operation = random.pick(troubledOperations);
  return random.pick<() => Fault>([
    () => ({ kind: 'throttle', times: 1 + random.integer(30) }),
    () => ({ kind: 'throttle', operation }),
    () => ({ kind: 'refusal', operation, code: random.pick(['InternalError', 'Unavailable', 'RequestLimitExceeded']) }),
    () => ({ kind: 'deny', operation }),
    () => ({ kind: 'deny', service: 'ssm' }),
    () => ({ kind: 'insufficient-capacity' }),
    () => ({ kind: 'insufficient-capacity', zone: random.pick(zones) }),
    () => ({ kind: 'insufficient-capacity', capacityType: 'spot' }),
    () => ({
      kind: 'launch-failure',
      code: random.pick(['VcpuLimitExceeded', 'InvalidLaunchTemplateName.NotFoundException', 'UnfulfillableCapacity']),
    }),
    () => ({ kind: 'vcpu-quota', vcpus: 2 + random.integer(30) }),
    () => ({ kind: 'no-addresses' }),
    () => ({ kind: 'stale-describes', lagMs: random.pick([5_000, 20_000, 90_000]) }),
    () => ({ kind: 'node-behavior', behavior: random.pick(badBehaviors) }),
    () => ({ kind: 'rebalance-recommendation' }),
    () => ({ kind: 'scheduled-change' }),
    () => ({ kind: 'impaired-instance', check: random.pick(['instance', 'system']) }),
    () => ({ kind: 'zonal-shift', zone: random.pick(zones) }),
    () => ({ kind: 'cluster-unreachable' }),
  ])();
}

function nextMinor(minor: string): string {
  const [major = '1', number = '0'] = minor.split('.');
  return `${major}.${Number(number) + 1}`;
}
