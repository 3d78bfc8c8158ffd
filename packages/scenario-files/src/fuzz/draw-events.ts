import type { Random } from '@nodewright/runtime';
import type { FuzzSubject, FuzzWorkload } from './fuzz-subject.ts';

/** A step of a scenario, as it is written. */
export type WrittenStep = Readonly<Record<string, unknown>>;

const fewestEvents = 3;
const mostEvents = 8;

/** What happens in one history: events, each with the time after it. */
export function drawEvents(subject: FuzzSubject, random: Random): readonly WrittenStep[] {
  const count = fewestEvents + random.integer(mostEvents - fewestEvents + 1);
  return Array.from({ length: count }, (_, nth) => [
    random.pick(eventKinds)(subject, random, nth) ?? { kill: 'controller' },
    { advance: random.pick(pauses) },
  ]).flat();
}

/** Short ones are drawn more often: what overlaps finds more. */
const pauses = ['30s', '1m', '2m', '5m', '10m', '20m', '1h', '3h', '1d'];
const faultLengths = ['5m', '30m', '2h'];

type DrawEvent = (subject: FuzzSubject, random: Random, nth: number) => WrittenStep | undefined;

const eventKinds: readonly DrawEvent[] = [
  drawRelease,
  drawRelease,
  drawScale,
  drawScale,
  drawDeletion,
  drawFault,
  drawFault,
  drawFault,
  drawFault,
  (_subject, random) => ({ interrupt: { nodes: 1 + random.integer(3) } }),
  (_subject, random) => ({ terminate: { nodes: 1 + random.integer(2) } }),
  (_subject, random) => ({ cordon: { nodes: 1 + random.integer(2) } }),
  () => ({ kill: 'controller' }),
  (_subject, random) => ({ kill: { controller: { for: random.pick(faultLengths) } } }),
  ({ nextMinor }) => (nextMinor === undefined ? undefined : { upgrade: { controlPlane: nextMinor } }),
];

/** Capacity is short more often than the rest goes wrong. */
const drawnFaults: readonly DrawEvent[] = [
  ({ zones }, random) => ({ kind: 'insufficient-capacity', zone: random.pick(zones) }),
  ({ zones }, random) => ({ kind: 'insufficient-capacity', zone: random.pick(zones) }),
  () => ({ kind: 'insufficient-capacity' }),
  () => ({ kind: 'insufficient-capacity', capacityType: 'spot' }),
  () => ({ kind: 'throttle', service: 'ec2' }),
  (_subject, random) => ({
    kind: 'refusal',
    service: 'ec2',
    code: 'InternalError',
    operation: random.pick(refusedCalls),
  }),
  () => ({ kind: 'launch-failure', code: 'VcpuLimitExceeded' }),
  (_subject, random) => ({ kind: 'vcpu-quota', vcpus: random.pick([8, 32, 128]) }),
  () => ({ kind: 'no-addresses' }),
  (_subject, random) => ({ kind: 'stale-describes', lag: random.pick(['10s', '1m', '5m']) }),
  (_subject, random) => ({ kind: 'node-behavior', behavior: random.pick(['neverJoins', 'joinsLate', 'notReady']) }),
  ({ workloads }, random) => ({
    kind: 'node-behavior',
    behavior: 'containersFail',
    ...(hasLabelled(workloads) && { pods: pickLabels(workloads, random) }),
  }),
  (_subject, random) => ({ kind: 'node-behavior', behavior: random.pick(['stopsRenewing', 'notReady']), nodes: 1 }),
  () => ({ kind: 'impaired-instance', nodes: 1 }),
  () => ({ kind: 'scheduled-change', code: 'instance-retirement', nodes: 1 }),
  () => ({ kind: 'rebalance-recommendation', nodes: 1 }),
  ({ zones }, random) => ({ kind: 'zonal-shift', zone: random.pick(zones) }),
];

const refusedCalls = ['CreateFleet', 'DescribeInstances', 'TerminateInstances', 'CreateLaunchTemplate'];

function drawFault(subject: FuzzSubject, random: Random, nth: number): WrittenStep {
  return { fault: { ...random.pick(drawnFaults)(subject, random, nth), for: random.pick(faultLengths) } };
}

const wholeBehaviors = [
  'healthy',
  'healthy',
  'neverJoins',
  'joinsLate',
  'notReady',
  'containersFail',
  'stopsRenewing after 3h',
  'notReady on 30% of nodes after 1h',
  'neverJoins on 50% of nodes',
];

/** One behaviour, those of the pods of a workload, two at once, or of the images of one variant alone. */
function drawBehavior({ workloads }: FuzzSubject, random: Random): unknown {
  const draw = random.integer(8);
  if (draw === 0) return [random.pick(wholeBehaviors.slice(2)), 'containersFail on 30% of nodes'];
  if (draw === 1) return { kind: 'notReady', variant: random.pick(['standard', 'nvidia']), share: '50%' };
  if (draw === 2) return { kind: 'neverJoins', arch: random.pick(['amd64', 'arm64']) };
  if (draw === 3 && hasLabelled(workloads))
    return { kind: 'containersFail', pods: pickLabels(workloads, random), after: random.pick(['10m', '3h']) };
  return random.pick(wholeBehaviors);
}

function drawRelease(subject: FuzzSubject, random: Random, nth: number): WrittenStep {
  const family = random.pick(subject.families);
  const version = family === 'Bottlerocket' ? `9.${nth}.0` : `v203001${String(nth + 1).padStart(2, '0')}`;
  return { release: { family, version, behavior: drawBehavior(subject, random) } };
}

/** Pods that are deleted by hand. */
function drawDeletion({ workloads }: FuzzSubject, random: Random): WrittenStep | undefined {
  if (!hasLabelled(workloads)) return undefined;
  const { key, labels } = random.pick(workloads.filter(isLabelled));
  const [namespace = 'default'] = key.split('/');
  return { delete: { kind: 'Pod', namespace, labels, count: 1 + random.integer(3) } };
}

const isLabelled = ({ labels }: FuzzWorkload): boolean => Object.keys(labels).length > 0;

const hasLabelled = (workloads: readonly FuzzWorkload[]): boolean => workloads.some(isLabelled);

const pickLabels = (workloads: readonly FuzzWorkload[], random: Random): FuzzWorkload['labels'] =>
  random.pick(workloads.filter(isLabelled)).labels;

function drawScale({ workloads }: FuzzSubject, random: Random): WrittenStep | undefined {
  if (workloads.length === 0) return undefined;
  const { kind, key, replicas } = random.pick(workloads);
  return { scale: { [kind]: key, replicas: random.integer(2 * Math.max(1, replicas) + 1) } };
}

/** What ends all trouble of a history: faults end, bad releases are taken back, workloads have the size that they began with. */
export const endTrouble = (events: readonly WrittenStep[], { workloads }: FuzzSubject): readonly WrittenStep[] => [
  ...(events.some((step) => 'fault' in step) ? [{ clear: 'faults' }] : []),
  ...events.flatMap(({ release }) => withdrawBad(release as WrittenRelease | undefined)),
  ...workloads.filter((workload) => events.some(({ scale }) => isScaleOf(scale, workload))).map(scaleBack),
];

type WrittenRelease = { readonly family: string; readonly version: string; readonly behavior: unknown };

const withdrawBad = (release: WrittenRelease | undefined): readonly WrittenStep[] =>
  release === undefined || release.behavior === 'healthy'
    ? []
    : [{ withdraw: { family: release.family, version: release.version } }];

const isScaleOf = (scale: unknown, { kind, key }: FuzzWorkload): boolean =>
  typeof scale === 'object' && scale !== null && kind in scale && (scale as WrittenStep)[kind] === key;

const scaleBack = ({ kind, key, replicas }: FuzzWorkload): WrittenStep => ({ scale: { [kind]: key, replicas } });
