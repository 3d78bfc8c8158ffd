import {
  conditionOf,
  fromTimestamp,
  type Instant,
  karpenterLabels,
  kubernetesLabels,
  type Node,
  type NodeClaim,
  parseDurationOrNever,
  readOwn,
  hours,
  seconds,
} from '@nodewright/apis';
import type { Metrics } from '@nodewright/runtime';
import { consolidationCounters, type ConsolidationCounters } from './consolidation-counters.ts';
import { disruptionCounters, type DisruptionCounters } from './disruption-counters.ts';
import { interruptionCounters, type InterruptionCounters } from './interruption-counters.ts';
import { podCounters, type PodCounters } from './pod-counters.ts';
import { rolloutCounters, type RolloutCounters } from './rollout-counters.ts';
import { statusCounters, type StatusCounters } from './status-counters.ts';
import { schedulingCounters, type SchedulingCounters } from './scheduling-counters.ts';

/** What the operator counts, under Karpenter's names. */
export type Counters = PodCounters &
  ConsolidationCounters &
  DisruptionCounters &
  InterruptionCounters &
  RolloutCounters &
  SchedulingCounters &
  StatusCounters & {
    claimCreated(claim: NodeClaim, reason: string): void;
    claimTerminated(claim: NodeClaim, now: Instant): void;
    /** `reason`: `drifted`, `expired`, `garbage_collected`, `launch_timeout`, ... */
    claimDisrupted(claim: NodeClaim, reason: string, more?: DisruptedClaim): void;
    /** `condition`: the type of the node's condition that had it replaced. */
    claimUnhealthy(claim: NodeClaim, condition: string): void;
    nodeCreated(claim: NodeClaim): void;
    nodeDrained(claim: NodeClaim): void;
    nodeTerminated(node: Node, now: Instant): void;
    evictionRequested(code: number): void;
    podDrained(reason: string): void;
  };

/** What is known of a claim that a disruption command deletes. */
type DisruptedClaim = {
  /** The policy of its pool, where that had a say: `WhenEmpty`. */
  readonly policy: string | undefined;
  /** Pods that have to move. */
  readonly pods: number;
};

const doublingSeconds = Array.from({ length: 12 }, (_, power) => 2 ** power);
const doublingSecondsOfInstances = doublingSeconds.slice(0, 11);
const lifetimeHours = [0.25, 0.5, 1, 2, 4, 8, 12, 24, 48, 72, 120, 168, 240, 336, 480, 720];

export function countersOf(metrics: Metrics): Counters {
  return {
    ...claimCounters(metrics),
    ...nodeCounters(metrics),
    ...consolidationCounters(metrics),
    ...disruptionCounters(metrics),
    ...schedulingCounters(metrics),
    ...podCounters(metrics),
    ...interruptionCounters(metrics),
    ...rolloutCounters(metrics),
    ...statusCounters(metrics),
  };
}

type ClaimCounters = Pick<Counters, 'claimCreated' | 'claimTerminated' | 'claimDisrupted' | 'claimUnhealthy'>;

const ofDisruption = ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'] as const;

function claimCounters(metrics: Metrics): ClaimCounters {
  const created = metrics.counter({
    name: 'karpenter_nodeclaims_created_total',
    help: 'NodeClaims created, by reason and NodePool',
    labels: ['reason', 'nodepool', 'min_values_relaxed'],
  });
  const terminated = metrics.counter({
    name: 'karpenter_nodeclaims_terminated_total',
    help: 'NodeClaims that are gone, by NodePool',
    labels: ['nodepool', 'capacity_type', 'zone'],
  });
  const disrupted = metrics.counter({
    name: 'karpenter_nodeclaims_disrupted_total',
    help: 'NodeClaims deleted by a decision of the controller, by reason',
    labels: ofDisruption,
  });
  const podsMoving = metrics.counter({
    name: 'karpenter_pods_disruption_initiated_total',
    help: 'Pods that have to leave their nodes by a decision of the controller, by reason',
    labels: ofDisruption,
  });
  const unhealthy = metrics.counter({
    name: 'karpenter_nodeclaims_unhealthy_disrupted_total',
    help: 'NodeClaims deleted because their nodes were unhealthy, by condition',
    labels: ['condition', 'nodepool', 'capacity_type', 'image_id'],
  });
  const durations = metrics.histogram({
    name: 'karpenter_nodeclaims_termination_duration_seconds',
    help: 'From the deletion of a NodeClaim to its end',
    labels: ['nodepool'],
    buckets: doublingSeconds,
  });
  const instanceDurations = metrics.histogram({
    name: 'karpenter_nodeclaims_instance_termination_duration_seconds',
    help: 'From the request to terminate the instance of a NodeClaim to its end',
    labels: ['nodepool'],
    buckets: doublingSecondsOfInstances,
  });
  return {
    claimUnhealthy: (claim, condition) =>
      unhealthy.add({
        condition: snakeCase(condition),
        nodepool: poolLabelOf(claim),
        capacity_type: capacityTypeLabelOf(claim),
        image_id: claim.status?.imageID ?? '',
      }),
    claimCreated: (claim, reason) =>
      created.add({ reason, nodepool: poolLabelOf(claim), min_values_relaxed: isRelaxedLabel(claim) }),
    claimTerminated: (claim, now) => {
      terminated.add({
        nodepool: poolLabelOf(claim),
        capacity_type: capacityTypeLabelOf(claim),
        zone: zoneLabelOf(claim),
      });
      durations.observe({ nodepool: poolLabelOf(claim) }, secondsSinceTimestamp(claim.metadata.deletionTimestamp, now));
      const terminating = conditionOf(claim, 'InstanceTerminating')?.lastTransitionTime;
      if (terminating !== undefined)
        instanceDurations.observe({ nodepool: poolLabelOf(claim) }, secondsSinceTimestamp(terminating, now));
    },
    claimDisrupted: (claim, reason, { policy = '', pods = 0 } = { policy: '', pods: 0 }) => {
      const labels = {
        reason,
        nodepool: poolLabelOf(claim),
        capacity_type: capacityTypeLabelOf(claim),
        consolidation_policy: snakeCase(policy),
        termination_mode: terminationMode(claim),
      };
      disrupted.add(labels);
      if (pods > 0) podsMoving.add(labels, pods);
    },
  };
}

type NodeCounters = Pick<
  Counters,
  'nodeCreated' | 'nodeDrained' | 'nodeTerminated' | 'evictionRequested' | 'podDrained'
>;

function nodeCounters(metrics: Metrics): NodeCounters {
  const placed = ['nodepool', 'zone'] as const;
  const created = metrics.counter({ name: 'karpenter_nodes_created_total', help: 'Nodes registered', labels: placed });
  const gone = metrics.counter({ name: 'karpenter_nodes_terminated_total', help: 'Nodes gone', labels: placed });
  const drained = metrics.counter({
    name: 'karpenter_nodes_drained_total',
    help: 'Nodes drained',
    labels: ['nodepool'],
  });
  const lifetimes = metrics.histogram({
    name: 'karpenter_nodes_lifetime_duration_seconds',
    help: 'From the creation of a node to its end',
    labels: ['nodepool'],
    buckets: lifetimeHours.map((count) => hours(count) / seconds(1)),
  });
  const terminations = metrics.summary({
    name: 'karpenter_nodes_termination_duration_seconds',
    help: 'From the deletion of a node to its end',
    labels: ['nodepool'],
    quantiles: [0, 0.5, 0.9, 0.99, 1],
  });
  const evictions = metrics.counter({
    name: 'karpenter_pods_eviction_requests_total',
    help: 'Answers to evictions, by code',
    labels: ['code'],
  });
  const pods = metrics.counter({
    name: 'karpenter_pods_drained_total',
    help: 'Pods drained, by reason',
    labels: ['reason'],
  });
  return {
    nodeCreated: (claim) => created.add({ nodepool: poolLabelOf(claim), zone: zoneLabelOf(claim) }),
    nodeDrained: (claim) => drained.add({ nodepool: poolLabelOf(claim) }),
    nodeTerminated: (node, now) => {
      gone.add({ nodepool: poolLabelOf(node), zone: zoneLabelOf(node) });
      lifetimes.observe({ nodepool: poolLabelOf(node) }, secondsSinceTimestamp(node.metadata.creationTimestamp, now));
      terminations.observe(
        { nodepool: poolLabelOf(node) },
        secondsSinceTimestamp(node.metadata.deletionTimestamp, now),
      );
    },
    evictionRequested: (code) => evictions.add({ code: String(code) }),
    podDrained: (reason) => pods.add({ reason }),
  };
}

/** `networking_ready` of `NetworkingReady`. */
const snakeCase = (text: string): string => text.replaceAll(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();

type Labelled = NodeClaim | Node;

const labelOrEmpty = (object: Labelled, label: string): string => readOwn(object.metadata.labels, label) ?? '';
const poolLabelOf = (object: Labelled): string => labelOrEmpty(object, karpenterLabels.nodePool);
const zoneLabelOf = (object: Labelled): string => labelOrEmpty(object, kubernetesLabels.zone);
const capacityTypeLabelOf = (object: Labelled): string => labelOrEmpty(object, karpenterLabels.capacityType);

const isRelaxedLabel = ({ metadata }: NodeClaim): string =>
  metadata.annotations?.['karpenter.sh/nodeclaim-min-values-relaxed'] ?? 'false';

const secondsSinceTimestamp = (timestamp: string | undefined, now: Instant): number =>
  timestamp === undefined ? 0 : (now - fromTimestamp(timestamp)) / 1_000;

/** How much the termination grace period lets a disruption override pods. */
function terminationMode({ spec }: NodeClaim): string {
  const grace = parseDurationOrNever(spec.terminationGracePeriod ?? 'Never');
  if (grace === 'Never') return 'graceful';
  return grace > 0 ? 'eventual' : 'forceful';
}
