import { nodeClaims, nodes, type Node, type NodeClaim } from '@nodewright/apis';
import type { InterruptionKind } from '@nodewright/ports';
import type { EventReport } from '@nodewright/runtime';

/** A claim and, when it has one, its node: both hear what happens to their instance. */
type InterruptedPair = { readonly claim: NodeClaim; readonly node?: Node };

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

export const reportInterruption = (kind: InterruptionKind, pair: InterruptedPair): readonly EventReport[] =>
  kind === 'no_op' ? [] : toldToBoth(pair, { claim: wordsOfInterruption[kind], node: wordsOfInterruption[kind] });

export const reportUnhealthy = (pair: InterruptedPair): readonly EventReport[] =>
  toldToBoth(pair, { claim: unhealthyWords, node: unhealthyWords });

export const terminatingOnInterruption = (pair: InterruptedPair): readonly EventReport[] =>
  toldToBoth(pair, { claim: terminatingWords('NodeClaim'), node: terminatingWords('Node') });

const terminatingWords = (what: string): InterruptionWords =>
  warningWords('TerminatingOnInterruption', `Interruption triggered termination for the ${what}`);

function toldToBoth(
  { claim, node }: InterruptedPair,
  words: { readonly claim: InterruptionWords; readonly node: InterruptionWords },
): EventReport[] {
  const ofClaim = { ...words.claim, kind: nodeClaims, about: claim, dedupe: [claim.metadata.uid ?? ''] };
  const ofNode = node && { ...words.node, kind: nodes, about: node, dedupe: [node.metadata.uid ?? ''] };
  return [ofClaim, ...(ofNode === undefined ? [] : [ofNode])];
}
