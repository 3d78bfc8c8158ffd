import { formatDuration, instant, type Instant } from '@nodewright/apis';
import { printFailedCheck } from '../checks/check-holds.ts';
import type { SignalSettings } from '../settings.ts';
import type { CheckReading, RolloutNode } from '../snapshot.ts';

export type NodeSignal =
  | 'registration'
  | 'launch'
  | 'nodeReady'
  | 'lease'
  | 'nodeConditions'
  | 'containerStarts'
  | 'checks';

/** What one signal says of one node, with the numbers, and when time alone makes it say something else. */
export type SignalReading =
  | { readonly kind: 'ok'; readonly changesAt?: Instant }
  | { readonly kind: 'unknown'; readonly signal: NodeSignal; readonly evidence: string; readonly changesAt?: Instant }
  | { readonly kind: 'failed'; readonly signal: NodeSignal; readonly evidence: string };

export type HealthQuestion = {
  readonly settings: SignalSettings;
  /** Nodes of the same variant that still run the baseline. */
  readonly peers: readonly RolloutNode[];
  readonly checks: readonly CheckReading[];
  readonly checkFailures: ReadonlyMap<string, number>;
  readonly now: Instant;
};

type SignalRule = (node: RolloutNode, question: HealthQuestion) => SignalReading;

/** The signals that need no comparison, in the order in which failures are reported. */
const signalRules: readonly SignalRule[] = [
  launchReading,
  registrationReading,
  nodeReadyReading,
  leaseReading,
  nodeConditionsReading,
  stuckStartsReading,
  checksReading,
];

/**
 * What the signals say of a member: the first that failed, else the first that is unknown, else ok.
 *
 * What at least half of the peers in the same zone show at the same time is not the image's: a zone or the API server
 * is away. Such a failure is unknown, and told.
 */
export function readMemberHealth(node: RolloutNode, question: HealthQuestion): SignalReading {
  const readings = signalRules.map((rule) => excusedByZone(rule, node, question));
  const failed = readings.find(({ kind }) => kind === 'failed');
  const unknown = readings.find(({ kind }) => kind === 'unknown');
  if (failed !== undefined) return failed;
  const changesAt = soonest(readings.flatMap((each) => (each.kind === 'failed' ? [] : (each.changesAt ?? []))));
  return { ...(unknown ?? { kind: 'ok' }), ...(changesAt === undefined ? {} : { changesAt }) };
}

const soonest = (instants: readonly Instant[]): Instant | undefined =>
  instants.length === 0 ? undefined : instant(Math.min(...instants));

function excusedByZone(rule: SignalRule, node: RolloutNode, question: HealthQuestion): SignalReading {
  const reading = rule(node, question);
  if (reading.kind !== 'failed' || rule === checksReading || rule === launchReading) return reading;
  const neighbours = question.peers.filter(({ zone, leaving }) => zone === node.zone && !leaving);
  const alike = neighbours.filter((peer) => rule(peer, question).kind === 'failed');
  if (alike.length === 0 || alike.length * 2 < neighbours.length) return reading;
  const evidence = `${reading.evidence}; so have ${alike.length} of ${neighbours.length} old nodes in ${node.zone}`;
  return { kind: 'unknown', signal: reading.signal, evidence };
}

/** EC2 refused the image itself. Want of capacity, quota, addresses or permissions says nothing of the image. */
function launchReading({ launchFailure }: RolloutNode): SignalReading {
  if (launchFailure === undefined) return { kind: 'ok' };
  const evidence = `EC2 answers ${launchFailure.code}`;
  return { kind: launchFailure.isOfImage ? 'failed' : 'unknown', signal: 'launch', evidence };
}

function registrationReading(node: RolloutNode, { settings, now }: HealthQuestion): SignalReading {
  const { registrationMs } = settings;
  if (node.initializedAt !== undefined || registrationMs === undefined) return { kind: 'ok' };
  if (node.launchFailure !== undefined) return { kind: 'ok' };
  return within(node.createdAt, registrationMs, now, {
    signal: 'registration',
    evidence: `not registered and initialized within ${formatDuration(registrationMs)}`,
    waiting: 'not initialized yet',
  });
}

function nodeReadyReading(node: RolloutNode, { settings, now }: HealthQuestion): SignalReading {
  const { notReadyMs } = settings;
  if (node.initializedAt === undefined || node.ready || notReadyMs === undefined) return { kind: 'ok' };
  return within(node.readySince, notReadyMs, now, {
    signal: 'nodeReady',
    evidence: `not Ready for ${formatDuration(notReadyMs)}`,
    waiting: 'not Ready',
  });
}

function leaseReading(node: RolloutNode, { settings, now }: HealthQuestion): SignalReading {
  const { leaseMs } = settings;
  if (node.initializedAt === undefined || node.leaseRenewedAt === undefined || leaseMs === undefined)
    return { kind: 'ok' };
  const end = instant(node.leaseRenewedAt + leaseMs);
  if (now < end) return { kind: 'ok', changesAt: end };
  return { kind: 'failed', signal: 'lease', evidence: `its Lease was not renewed for ${formatDuration(leaseMs)}` };
}

/** A condition that a peer has too is not the image's. */
function nodeConditionsReading(node: RolloutNode, { settings, peers }: HealthQuestion): SignalReading {
  const own = node.troubles.filter((type) => settings.nodeConditions.includes(type));
  const [first] = own.filter((type) => !peers.some(({ troubles }) => troubles.includes(type)));
  if (first !== undefined)
    return {
      kind: 'failed',
      signal: 'nodeConditions',
      evidence: `condition ${first} tells of trouble; no old node has it`,
    };
  const [shared] = own;
  if (shared === undefined) return { kind: 'ok' };
  return {
    kind: 'unknown',
    signal: 'nodeConditions',
    evidence: `condition ${shared} tells of trouble, on old nodes too`,
  };
}

/**
 * A pod that cannot be started for as long as it may take to be Ready, though others of its owner start on old nodes: one
 * says as much as many failed starts beside good ones do, and pods that start again and again are few.
 */
function stuckStartsReading({ stuckStarts }: RolloutNode, { settings, now }: HealthQuestion): SignalReading {
  const { comparesStarts, podsReadyMs } = settings;
  if (stuckStarts === undefined || !comparesStarts || podsReadyMs === undefined) return { kind: 'ok' };
  const { pods, since } = stuckStarts;
  const who = pods === 1 ? '1 pod' : `${pods} pods`;
  return within(since, podsReadyMs, now, {
    signal: 'containerStarts',
    evidence: `the containers of ${who} have not started in ${formatDuration(podsReadyMs)}; those of the same owners start on old nodes`,
    waiting: `the containers of ${who} have not started yet`,
  });
}

/**
 * A check that ran on the node itself. One that cannot be asked says nothing of the image; it holds the wave, which
 * `holdOfChecks` tells.
 */
function checksReading(node: RolloutNode, { checks, checkFailures }: HealthQuestion): SignalReading {
  const failing = checks.find(
    (reading) =>
      reading.state === 'fails' &&
      reading.node === node.name &&
      reading.inARow >= (checkFailures.get(reading.check) ?? 1),
  );
  if (failing === undefined) return { kind: 'ok' };
  return { kind: 'failed', signal: 'checks', evidence: printFailedCheck(failing) };
}

/** The check that could not be asked for so often that the wave waits, if one could not. */
export const holdOfChecks = ({
  checks,
  checkFailures,
}: Pick<HealthQuestion, 'checks' | 'checkFailures'>): CheckReading | undefined =>
  checks.find(({ check, state, inARow }) => state === 'cannotBeAsked' && inARow >= (checkFailures.get(check) ?? 1));

type Deadline = { readonly signal: NodeSignal; readonly evidence: string; readonly waiting: string };

function within(since: Instant, limitMs: number, now: Instant, { signal, evidence, waiting }: Deadline): SignalReading {
  const end = instant(since + limitMs);
  return now < end
    ? { kind: 'unknown', signal, evidence: waiting, changesAt: end }
    : { kind: 'failed', signal, evidence };
}
