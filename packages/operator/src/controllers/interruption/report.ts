import { nodeClaims, nodes } from '@nodewright/apis';
import type { HealthCategory, Interruption, InterruptionKind } from '@nodewright/ports';
import type { EventReport } from '@nodewright/runtime';
import { claimFields } from '../../reporting/claim-fields.ts';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { Victim } from './victims.ts';

type InterruptionWords = Pick<EventReport, 'type' | 'reason' | 'message'>;

const warningWords = (reason: string, message: string): InterruptionWords => ({ type: 'Warning', reason, message });

const unhealthyWords = warningWords('InstanceUnhealthy', 'An unhealthy warning was triggered for the instance');

const wordsOfInterruption: Readonly<Record<Exclude<InterruptionKind, 'no_op'>, InterruptionWords>> = {
  spot_interrupted: warningWords('SpotInterrupted', 'Spot interruption warning was triggered'),
  rebalance_recommendation: {
    type: 'Normal',
    reason: 'SpotRebalanceRecommendation',
    message: 'Spot rebalance recommendation was triggered',
  },
  instance_stopped: warningWords('InstanceStopping', 'Instance is stopping'),
  instance_terminated: warningWords('InstanceTerminating', 'Instance is terminating'),
  scheduled_change: unhealthyWords,
  capacity_reservation_interrupted: warningWords(
    'CapacityReservationInstanceInterrupted',
    'Capacity Reservation interruption warning was triggered',
  ),
};

/** On the claim and its node: what the queue announces for their instance. */
export const reportInterruption = (kind: InterruptionKind, victim: Victim): readonly ReportEntry[] =>
  kind === 'no_op' ? [] : eventsOnBoth(victim, { claim: wordsOfInterruption[kind], node: wordsOfInterruption[kind] });

export const reportUnhealthy = (victim: Victim): readonly ReportEntry[] =>
  eventsOnBoth(victim, { claim: unhealthyWords, node: unhealthyWords });

/** Why a claim was deleted: for the counter, and in the words of the log. */
export type ClaimEnd = { readonly reason: string; readonly message: string };

export const reportClaimEnd = (victim: Victim, { reason, message }: ClaimEnd): readonly ReportEntry[] => [
  logEntry('info', message, {
    ...claimFields(victim.claim),
    ...(victim.node && { Node: { name: victim.node.metadata.name } }),
    kind: reason,
  }),
  ...eventsOnBoth(victim, { claim: terminatingWords('NodeClaim'), node: terminatingWords('Node') }),
  counterEntry('claimDisrupted', victim.claim, reason),
];

const terminatingWords = (what: string): InterruptionWords =>
  warningWords('TerminatingOnInterruption', `Interruption triggered termination for the ${what}`);

function eventsOnBoth(
  { claim, node }: Victim,
  words: { readonly claim: InterruptionWords; readonly node: InterruptionWords },
): readonly ReportEntry[] {
  const ofClaim = { ...words.claim, kind: nodeClaims, about: claim, dedupe: [claim.metadata.uid ?? ''] };
  const ofNode = node && { ...words.node, kind: nodes, about: node, dedupe: [node.metadata.uid ?? ''] };
  return [eventEntry(ofClaim), ...(ofNode === undefined ? [] : [eventEntry(ofNode)])];
}

/** A message that could not be understood. */
export const reportMalformed = (because: string): readonly ReportEntry[] => [
  logEntry('error', 'failed parsing interruption message', { error: because }),
];

/** A message that was understood. @param now when it was received */
export const reportReceived = ({ kind, announcedAt }: Interruption, now: number): readonly ReportEntry[] => [
  counterEntry('interruptionReceived', kind, announcedAt && now - announcedAt),
];

export const reportRemoved: readonly ReportEntry[] = [counterEntry('interruptionRemoved')];

/** EC2 does not let the controller ask for the status of instances. */
export const reportStatusDenied = (error: unknown): readonly ReportEntry[] => [
  logEntry('error', 'may not ask for the status of instances, and asks no more; allow ec2:DescribeInstanceStatus', {
    error,
  }),
];

/**
 * Counts what is wrong with instances. An instance that stays unhealthy counts once.
 * @param before what was wrong with which instance at the last look
 */
export const reportEpisodes = (
  found: readonly { readonly instanceId: string; readonly categories: readonly HealthCategory[] }[],
  before: ReadonlyMap<string, readonly HealthCategory[]>,
): readonly ReportEntry[] =>
  found.flatMap(({ instanceId, categories }) =>
    categories
      .filter((category) => !(before.get(instanceId) ?? []).includes(category))
      .map((category) => counterEntry('instanceUnhealthy', category)),
  );
