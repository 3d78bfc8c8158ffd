import { fromTimestamp, karpenterLabels, type Node, type NodeClaim } from '@nodewright/apis';
import { createMetrics } from '@nodewright/runtime';
import { aClaim, printSeries } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { countersOf, type Counters } from './counters.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const claim = aClaim('one');
const bare: NodeClaim = { ...claim, metadata: { name: 'bare' } };
const withGrace = (terminationGracePeriod: string): NodeClaim => ({
  ...claim,
  spec: { ...claim.spec, terminationGracePeriod },
});
const relaxed: NodeClaim = {
  ...claim,
  metadata: { ...claim.metadata, annotations: { 'karpenter.sh/nodeclaim-min-values-relaxed': 'true' } },
};
const booted: NodeClaim = { ...claim, status: { imageID: 'ami-1' } };
const deletedAt = (deletionTimestamp: string, terminatingAt?: string): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, deletionTimestamp },
  status: {
    conditions:
      terminatingAt === undefined
        ? []
        : [{ type: 'InstanceTerminating', status: 'True', lastTransitionTime: terminatingAt }],
  },
});
const aNodeOf = (times: Pick<Node['metadata'], 'creationTimestamp' | 'deletionTimestamp'>): Node => ({
  metadata: { name: 'n', labels: { [karpenterLabels.nodePool]: 'default' }, ...times },
});

/** What an act changes in the text of the metrics. */
async function countedBy(act: (counters: Counters) => void): Promise<readonly string[]> {
  const metrics = createMetrics();
  const counters = countersOf(metrics);
  const before = new Set(await printSeries(metrics, 'karpenter_', 'nodewright_', 'operator_'));
  act(counters);
  const after = await printSeries(metrics, 'karpenter_', 'nodewright_', 'operator_');
  return after.filter((line) => !before.has(line));
}

type Counted = readonly [fact: string, act: (counters: Counters) => void, ...lines: readonly string[]];

function testCounted(cases: readonly Counted[]): void {
  for (const [fact, act, ...lines] of cases) test(fact, async () => expect(await countedBy(act)).toEqual(lines));
}

const ofDefault = 'nodepool="default"';
const drifted = (mode: string, policy = ''): string =>
  `{reason="drifted",${ofDefault},capacity_type="on-demand",consolidation_policy="${policy}",termination_mode="${mode}"}`;

describe('of claims is counted', () => {
  testCounted([
    [
      'one that is created, by its reason',
      (counters) => counters.claimCreated(claim, 'provisioned'),
      `karpenter_nodeclaims_created_total{reason="provisioned",${ofDefault},min_values_relaxed="false"} 1`,
    ],
    [
      'one whose minValues were relaxed',
      (counters) => counters.claimCreated(relaxed, 'provisioned'),
      `karpenter_nodeclaims_created_total{reason="provisioned",${ofDefault},min_values_relaxed="true"} 1`,
    ],
    [
      'one without labels, under empty labels',
      (counters) => counters.claimCreated(bare, 'provisioned'),
      'karpenter_nodeclaims_created_total{reason="provisioned",nodepool="",min_values_relaxed="false"} 1',
    ],
    [
      'its end, with how long the deletion and the end of its instance took',
      (counters) => counters.claimTerminated(deletedAt('2024-01-28T15:58:00Z', '2024-01-28T15:59:15Z'), now),
      `karpenter_nodeclaims_terminated_total{${ofDefault},capacity_type="on-demand",zone="zone-a"} 1`,
      `karpenter_nodeclaims_termination_duration_seconds_sum{${ofDefault}} 120`,
      `karpenter_nodeclaims_termination_duration_seconds_count{${ofDefault}} 1`,
      `karpenter_nodeclaims_instance_termination_duration_seconds_sum{${ofDefault}} 45`,
      `karpenter_nodeclaims_instance_termination_duration_seconds_count{${ofDefault}} 1`,
    ],
    [
      'its end without an instance',
      (counters) => counters.claimTerminated(deletedAt('2024-01-28T15:59:59Z'), now),
      `karpenter_nodeclaims_terminated_total{${ofDefault},capacity_type="on-demand",zone="zone-a"} 1`,
      `karpenter_nodeclaims_termination_duration_seconds_sum{${ofDefault}} 1`,
      `karpenter_nodeclaims_termination_duration_seconds_count{${ofDefault}} 1`,
    ],
    [
      'a disruption that waits for pods for ever',
      (counters) => counters.claimDisrupted(claim, 'drifted'),
      `karpenter_nodeclaims_disrupted_total${drifted('graceful')} 1`,
    ],
    [
      'a disruption whose grace period says never',
      (counters) => counters.claimDisrupted(withGrace('Never'), 'drifted'),
      `karpenter_nodeclaims_disrupted_total${drifted('graceful')} 1`,
    ],
    [
      'a disruption that ends after a grace period',
      (counters) => counters.claimDisrupted(withGrace('1h'), 'drifted'),
      `karpenter_nodeclaims_disrupted_total${drifted('eventual')} 1`,
    ],
    [
      'a disruption that waits for no pod',
      (counters) => counters.claimDisrupted(withGrace('0s'), 'drifted'),
      `karpenter_nodeclaims_disrupted_total${drifted('forceful')} 1`,
    ],
    [
      'a disruption that moves pods, by the policy of its pool',
      (counters) => counters.claimDisrupted(claim, 'drifted', { policy: 'WhenEmptyOrUnderutilized', pods: 3 }),
      `karpenter_nodeclaims_disrupted_total${drifted('graceful', 'when_empty_or_underutilized')} 1`,
      `karpenter_pods_disruption_initiated_total${drifted('graceful', 'when_empty_or_underutilized')} 3`,
    ],
    [
      'no moving pod for an empty node',
      (counters) => counters.claimDisrupted(claim, 'drifted', { policy: undefined, pods: 0 }),
      `karpenter_nodeclaims_disrupted_total${drifted('graceful')} 1`,
    ],
    [
      'a repair, by the condition and the image',
      (counters) => counters.claimUnhealthy(booted, 'NetworkingReady'),
      `karpenter_nodeclaims_unhealthy_disrupted_total{condition="networking_ready",${ofDefault},capacity_type="on-demand",image_id="ami-1"} 1`,
    ],
    [
      'a repair of a claim whose image is not known',
      (counters) => counters.claimUnhealthy({ ...claim, status: {} }, 'Ready'),
      `karpenter_nodeclaims_unhealthy_disrupted_total{condition="ready",${ofDefault},capacity_type="on-demand",image_id=""} 1`,
    ],
  ]);
});

describe('of nodes and pods is counted', () => {
  const hour = 'karpenter_nodes_lifetime_duration_seconds';
  const end = 'karpenter_nodes_termination_duration_seconds';
  testCounted([
    [
      'a node that registers',
      (counters) => counters.nodeCreated(claim),
      `karpenter_nodes_created_total{${ofDefault},zone="zone-a"} 1`,
    ],
    [
      'a node that is drained',
      (counters) => counters.nodeDrained(claim),
      `karpenter_nodes_drained_total{${ofDefault}} 1`,
    ],
    [
      'the end of a node, with its life and the time since its deletion',
      (counters) =>
        counters.nodeTerminated(
          aNodeOf({ creationTimestamp: '2024-01-28T15:00:00Z', deletionTimestamp: '2024-01-28T15:59:30Z' }),
          now,
        ),
      `karpenter_nodes_terminated_total{${ofDefault},zone=""} 1`,
      `${hour}_sum{${ofDefault}} 3600`,
      `${hour}_count{${ofDefault}} 1`,
      `${end}_sum{${ofDefault}} 30`,
      `${end}_count{${ofDefault}} 1`,
    ],
    [
      'each answer to an eviction, by its code',
      (counters) => [200, 429, 429].forEach((code) => counters.evictionRequested(code)),
      'karpenter_pods_eviction_requests_total{code="200"} 1',
      'karpenter_pods_eviction_requests_total{code="429"} 2',
    ],
    [
      'a pod that is drained, by the reason',
      (counters) => counters.podDrained('drifted'),
      'karpenter_pods_drained_total{reason="drifted"} 1',
    ],
    [
      'how long a pod waited for a node and for its start',
      (counters) => {
        counters.podBound(1_500);
        counters.podStarted(2_500);
      },
      'karpenter_pods_bound_duration_seconds_sum 1.5',
      'karpenter_pods_bound_duration_seconds_count 1',
      'karpenter_pods_startup_duration_seconds_sum 2.5',
      'karpenter_pods_startup_duration_seconds_count 1',
    ],
    [
      'how long a pod waited for the decision of a round',
      (counters) => counters.podDecided(250),
      'karpenter_pods_scheduling_decision_duration_seconds_sum 0.25',
      'karpenter_pods_scheduling_decision_duration_seconds_count 1',
    ],
    [
      'how long provisioning took a pod to its node and to its start, apart',
      (counters) => {
        counters.podProvisioned('bound', 40_000);
        counters.podProvisioned('startup', 55_000);
      },
      'karpenter_pods_provisioning_bound_duration_seconds_sum 40',
      'karpenter_pods_provisioning_bound_duration_seconds_count 1',
      'karpenter_pods_provisioning_startup_duration_seconds_sum 55',
      'karpenter_pods_provisioning_startup_duration_seconds_count 1',
    ],
  ]);
});

describe('of disruption is counted', () => {
  const multi = { reason: 'Underutilized', consolidationType: 'multi' } as const;
  const decided = 'karpenter_voluntary_disruption_decisions';
  const failed = 'karpenter_voluntary_disruption_queue_failures_total';
  const took = 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds';
  const ofMulti = 'reason="underutilized",consolidation_type="multi"';
  testCounted([
    [
      'a decision once, and once for each of its NodePools',
      (counters) => counters.disruptionDecided({ ...multi, decision: 'replace' }, ['a', 'b']),
      `${decided}_total{decision="replace",${ofMulti}} 1`,
      `${decided}_by_nodepool_total{nodepool="a",decision="replace",${ofMulti}} 1`,
      `${decided}_by_nodepool_total{nodepool="b",decision="replace",${ofMulti}} 1`,
    ],
    [
      'a decision that is no consolidation',
      (counters) => counters.disruptionDecided({ reason: 'Drifted', decision: 'delete' }, []),
      `${decided}_total{decision="delete",reason="drifted",consolidation_type=""} 1`,
    ],
    [
      'each replacement that did not come up',
      (counters) => counters.replacementsFailed({ ...multi, replacements: 3 }, 2),
      `${failed}{decision="replace",${ofMulti}} 2`,
    ],
    [
      'how long a search took',
      (counters) => counters.methodEvaluated(multi, 700),
      `${took}_sum{${ofMulti}} 0.7`,
      `${took}_count{${ofMulti}} 1`,
    ],
    [
      'how many nodes could go now: the last number stands',
      (counters) => [3, 1].forEach((nodes) => counters.nodesEligible('Empty', nodes)),
      'karpenter_voluntary_disruption_eligible_nodes{reason="empty"} 1',
    ],
    [
      'a node that no longer was to go when it was time',
      (counters) => counters.validationFailed(multi, 'churn'),
      'karpenter_voluntary_disruption_failed_validations_total{consolidation_type="multi"} 1',
    ],
    ['no failed validation because of scheduling', (counters) => counters.validationFailed(multi, 'scheduling')],
    [
      'a search that ran out of time',
      (counters) => counters.consolidationTimedOut('multi'),
      'karpenter_voluntary_disruption_consolidation_timeouts_total{consolidation_type="multi"} 1',
    ],
    [
      'a move that the policy of its pool agreed to, with its score',
      (counters) => counters.moveWeighed({ nodePool: 'default', policy: 'Balanced', isApproved: true, score: 0.75 }),
      `karpenter_consolidation_moves_total{decision="approved",${ofDefault},policy="Balanced"} 1`,
      `karpenter_consolidation_score_sum{decision="approved",${ofDefault},policy="Balanced"} 0.75`,
      `karpenter_consolidation_score_count{decision="approved",${ofDefault},policy="Balanced"} 1`,
    ],
    [
      'a move that the policy refused, without a score where none was worked out',
      (counters) => counters.moveWeighed({ nodePool: 'default', policy: 'WhenEmpty', isApproved: false }),
      `karpenter_consolidation_moves_total{decision="rejected",${ofDefault},policy="WhenEmpty"} 1`,
    ],
  ]);

  test('searches that run out of time are counted from nought, so that a rate sees the first', async () => {
    const metrics = createMetrics();
    countersOf(metrics);
    expect(await printSeries(metrics, 'karpenter_voluntary_disruption_consolidation_timeouts_total{')).toEqual([
      'karpenter_voluntary_disruption_consolidation_timeouts_total{consolidation_type="multi"} 0',
      'karpenter_voluntary_disruption_consolidation_timeouts_total{consolidation_type="single"} 0',
    ]);
  });
});

describe('of rounds is counted', () => {
  const round = { controller: 'provisioner', id: '7' };
  testCounted([
    [
      'what a round at work has to place, and since when',
      (counters) => counters.roundAtWork(round, 12, 1_500),
      'karpenter_scheduler_queue_depth{controller="provisioner",scheduling_id="7"} 12',
      'karpenter_scheduler_unfinished_work_seconds{controller="provisioner",scheduling_id="7"} 1.5',
    ],
    [
      'nothing of a round that has ended, and another one still',
      (counters) => {
        counters.roundAtWork(round, 12, 1_500);
        counters.roundAtWork({ ...round, id: '8' }, 1, 0);
        counters.roundEnded(round);
      },
      'karpenter_scheduler_queue_depth{controller="provisioner",scheduling_id="8"} 1',
      'karpenter_scheduler_unfinished_work_seconds{controller="provisioner",scheduling_id="8"} 0',
    ],
    [
      'pods that wait, by zone: those of the last round only',
      (counters) => {
        counters.podsPendingByZone('provisioner', new Map([['zone-a', 3]]));
        counters.podsPendingByZone('provisioner', new Map([['flexible', 2]]));
      },
      'karpenter_scheduler_pending_pods_by_effective_zone_count{controller="provisioner",zone="flexible"} 2',
    ],
    [
      'pods that are passed over and pods without a place',
      (counters) => {
        counters.podsIgnored(2);
        counters.podsUnschedulable('provisioner', 3);
      },
      'karpenter_scheduler_ignored_pods_count 2',
      'karpenter_scheduler_unschedulable_pods_count{controller="provisioner"} 3',
    ],
    [
      'how long a round took',
      (counters) => counters.roundSolved('provisioner', 80),
      'karpenter_scheduler_scheduling_duration_seconds_sum{controller="provisioner"} 0.08',
      'karpenter_scheduler_scheduling_duration_seconds_count{controller="provisioner"} 1',
    ],
  ]);
});

describe('of everything else is counted', () => {
  const changed = 'operator_nodeclaim_status_condition_transition';
  const labels = { karpenter_k8s_aws_ec2nodeclass: 'default', karpenter_sh_nodepool: 'web' };
  const ofClaim = { kind: 'nodeclaim', labels };
  const owners = 'karpenter_k8s_aws_ec2nodeclass="default",karpenter_sh_nodepool="web"';
  testCounted([
    [
      'an interruption, with the age of its message where it is known',
      (counters) => {
        counters.interruptionReceived('spot_interrupted', 3_000);
        counters.interruptionReceived('no_op', undefined);
        counters.interruptionRemoved();
      },
      'karpenter_interruption_received_messages_total{message_type="spot_interrupted"} 1',
      'karpenter_interruption_received_messages_total{message_type="no_op"} 1',
      'karpenter_interruption_deleted_messages_total 1',
      'karpenter_interruption_message_queue_duration_seconds_sum 3',
      'karpenter_interruption_message_queue_duration_seconds_count 1',
    ],
    [
      'an instance that EC2 finds unhealthy',
      (counters) => counters.instanceUnhealthy('SystemStatus'),
      'karpenter_interruption_instance_status_unhealthy_total{category="SystemStatus"} 1',
    ],
    [
      'what happens in a rollout',
      (counters) => {
        counters.rolloutHappened('web', 'Halted');
        counters.checkAnswered('web', 'errors', 'Fails');
        counters.rolloutMessageEnded('web', 'Slack', 'sent');
      },
      'nodewright_rollout_happenings_total{policy="web",kind="Halted"} 1',
      'nodewright_rollout_notifications_total{policy="web",format="Slack",outcome="sent"} 1',
      'nodewright_rollout_check_answers_total{policy="web",check="errors",answer="Fails"} 1',
    ],
    [
      'a condition that changes, with how long it was as it was before',
      (counters) => counters.conditionChanged(ofClaim, { type: 'Ready', status: 'True', reason: 'Ready' }, 4_000),
      `${changed}s_total{type="Ready",status="True",reason="Ready",${owners}} 1`,
      `${changed}_seconds_sum{type="Ready",status="True",${owners}} 4`,
      `${changed}_seconds_count{type="Ready",status="True",${owners}} 1`,
    ],
    [
      'a condition without a reason',
      (counters) => counters.conditionChanged(ofClaim, { type: 'Ready', status: 'Unknown' }, 0),
      `${changed}s_total{type="Ready",status="Unknown",reason="",${owners}} 1`,
      `${changed}_seconds_sum{type="Ready",status="Unknown",${owners}} 0`,
      `${changed}_seconds_count{type="Ready",status="Unknown",${owners}} 1`,
    ],
    [
      'how long the end of an object took',
      (counters) => counters.objectEnded({ kind: 'nodepool', labels: {} }, 3_000),
      'operator_nodepool_termination_duration_seconds_sum 3',
      'operator_nodepool_termination_duration_seconds_count 1',
    ],
  ]);
});
