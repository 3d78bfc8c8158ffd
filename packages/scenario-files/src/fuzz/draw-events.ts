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
  (subject, random) => ({
    fault: { kind: 'insufficient-capacity', zone: random.pick(subject.zones), for: random.pick(faultLengths) },
  }),
  (_subject, random) => ({ fault: { kind: 'insufficient-capacity', for: random.pick(faultLengths) } }),
  (_subject, random) => ({ fault: { kind: 'throttle', service: 'ec2', for: random.pick(faultLengths) } }),
  (_subject, random) => ({ fault: { kind: 'no-addresses', for: random.pick(faultLengths) } }),
  (_subject, random) => ({ interrupt: { nodes: 1 + random.integer(3) } }),
  (_subject, random) => ({ terminate: { nodes: 1 + random.integer(2) } }),
  () => ({ kill: 'controller' }),
  (_subject, random) => ({ kill: { controller: { for: random.pick(faultLengths) } } }),
  ({ nextMinor }) => (nextMinor === undefined ? undefined : { upgrade: { controlPlane: nextMinor } }),
];

const behaviors = [
  'healthy',
  'healthy',
  'neverJoins',
  'joinsLate',
  'notReady',
  'containersFail',
  'stopsRenewing after 3h',
  'notReady on 30% of nodes after 1h',
];

function drawRelease({ families }: FuzzSubject, random: Random, nth: number): WrittenStep {
  const family = random.pick(families);
  const version = family === 'Bottlerocket' ? `9.${nth}.0` : `v203001${String(nth + 1).padStart(2, '0')}`;
  return { release: { family, version, behavior: random.pick(behaviors) } };
}

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

type WrittenRelease = { readonly family: string; readonly version: string; readonly behavior: string };

const withdrawBad = (release: WrittenRelease | undefined): readonly WrittenStep[] =>
  release === undefined || release.behavior === 'healthy'
    ? []
    : [{ withdraw: { family: release.family, version: release.version } }];

const isScaleOf = (scale: unknown, { kind, key }: FuzzWorkload): boolean =>
  typeof scale === 'object' && scale !== null && kind in scale && (scale as WrittenStep)[kind] === key;

const scaleBack = ({ kind, key, replicas }: FuzzWorkload): WrittenStep => ({ scale: { [kind]: key, replicas } });
