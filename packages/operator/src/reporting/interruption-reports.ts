import { nodeClaims, nodes, type Node, type NodeClaim } from '@nodewright/apis';
import type { InterruptionKind } from '@nodewright/ports';
import type { EventReport } from '@nodewright/runtime';

/** A claim and, when it has one, its node: both hear what happens to their instance. */
type Pair = { readonly claim: NodeClaim; readonly node?: Node };

type Words = Pick<EventReport, 'type' | 'reason' | 'message'>;

const warning = (reason: string, message: string): Words => ({ type: 'Warning', reason, message });

const unhealthyWords = warning('InstanceUnhealthy', 'An unhealthy warning was triggered for the instance');

const wordsOf: Readonly<Record<Exclude<InterruptionKind, 'no_op'>, Words>> = {
  spot_interrupted: warning('SpotInterrupted', 'Spot interruption warning was triggered'),
  rebalance_recommendation: {
    type: 'Normal',
    reason: 'SpotRebalanceRecommendation',
    message: 'Spot rebalance recommendation was triggered',
  },
  instance_stopped: warning('InstanceStopping', 'Instance is stopping'),
  instance_terminated: warning('InstanceTerminating', 'Instance is terminating'),
  scheduled_change: unhealthyWords,
  capacity_reservation_interrupted: warning(
    'CapacityReservationInstanceInterrupted',
    'Capacity Reservation interruption warning was triggered',
  ),
};

export const announced = (kind: InterruptionKind, pair: Pair): readonly EventReport[] =>
  kind === 'no_op' ? [] : toldToBoth(pair, { claim: wordsOf[kind], node: wordsOf[kind] });

export const unhealthy = (pair: Pair): readonly EventReport[] =>
  toldToBoth(pair, { claim: unhealthyWords, node: unhealthyWords });

export const terminatingOnInterruption = (pair: Pair): readonly EventReport[] =>
  toldToBoth(pair, { claim: terminating('NodeClaim'), node: terminating('Node') });

const terminating = (what: string): Words =>
  warning('TerminatingOnInterruption', `Interruption triggered termination for the ${what}`);

function toldToBoth({ claim, node }: Pair, words: { readonly claim: Words; readonly node: Words }): EventReport[] {
  const ofClaim = { ...words.claim, kind: nodeClaims, about: claim, dedupe: [claim.metadata.uid ?? ''] };
  const ofNode = node && { ...words.node, kind: nodes, about: node, dedupe: [node.metadata.uid ?? ''] };
  return [ofClaim, ...(ofNode === undefined ? [] : [ofNode])];
}
