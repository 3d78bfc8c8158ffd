import {
  conditionOf,
  fromTimestamp,
  type Instant,
  isConditionTrue,
  karpenterLabels,
  kubernetesLabels,
  type Pod,
  readOwn,
} from '@nodewright/apis';
import { isTerminal } from '@nodewright/engine';
import type { Clock, Metrics } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import { gaugeSet, type GaugeSet } from './gauge-set.ts';

type PodGaugeSources = {
  readonly metrics: Metrics;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly podTimes: PodTimes;
};

const stateLabels = [
  'name',
  'namespace',
  'owner',
  'node',
  'scheduled',
  'nodepool',
  'zone',
  'arch',
  'capacity_type',
  'instance_type',
  'phase',
  'ready',
  'managed',
] as const;

/** Where pods are, and how long those have waited that are not there yet. */
export function podGauges({ metrics, objects, clock, podTimes }: PodGaugeSources): GaugeSet {
  const waiting = (name: string, help: string) =>
    metrics.gauge({ name: `karpenter_pods_${name}`, help, labels: ['name', 'namespace'] });
  const gauges = {
    state: metrics.gauge({
      name: 'karpenter_pods_state',
      help: 'One for each pod; what it is stands in the labels',
      labels: stateLabels,
    }),
    unbound: waiting('unbound_time_seconds', 'How long a pod has waited for a node'),
    unstarted: waiting('unstarted_time_seconds', 'How long a pod has waited to run and be ready'),
    undecided: waiting(
      'provisioning_scheduling_undecided_time_seconds',
      'How long a pod has waited for the first round that decides on it',
    ),
    provisioningUnbound: waiting(
      'provisioning_unbound_time_seconds',
      'How long a pod has waited for its node since a round found a place for it',
    ),
    provisioningUnstarted: waiting(
      'provisioning_unstarted_time_seconds',
      'How long a pod has waited to run and be ready since a round found a place for it',
    ),
  };
  return gaugeSet(gauges, () => {
    for (const pod of objects.pods.list()) {
      gauges.state.set(podStateLabels(objects, pod), 1);
      const waits = { name: pod.metadata.name, namespace: pod.metadata.namespace ?? '' };
      if (isTerminal(pod)) continue;
      const now = clock.now();
      const age = ageInSeconds(pod.metadata.creationTimestamp, now);
      const since = podTimes.schedulableSince(pod);
      const undecidedMs = podTimes.undecidedMs(pod, now);
      if (undecidedMs !== undefined) gauges.undecided.set(waits, undecidedMs / 1_000);
      if (!isConditionTrue(pod, 'PodScheduled')) {
        gauges.unbound.set(waits, age);
        if (since !== undefined) gauges.provisioningUnbound.set(waits, (now - since) / 1_000);
      }
      if (!isConditionTrue(pod, 'Ready')) {
        gauges.unstarted.set(waits, age);
        if (since !== undefined) gauges.provisioningUnstarted.set(waits, (now - since) / 1_000);
      }
    }
  });
}

function podStateLabels(objects: Objects, pod: Pod): Readonly<Record<(typeof stateLabels)[number], string>> {
  const node = objects.nodes.get(pod.spec.nodeName ?? '');
  const label = (key: string): string => readOwn(node?.metadata.labels, key) ?? '';
  return {
    name: pod.metadata.name,
    namespace: pod.metadata.namespace ?? '',
    owner: printPodOwner(pod),
    node: pod.spec.nodeName ?? '',
    scheduled: String((pod.spec.nodeName ?? '') !== ''),
    nodepool: label(karpenterLabels.nodePool),
    zone: label(kubernetesLabels.zone),
    arch: label(kubernetesLabels.arch),
    capacity_type: label(karpenterLabels.capacityType),
    instance_type: label(kubernetesLabels.instanceType),
    phase: pod.status?.phase ?? '',
    ready: conditionOf(pod, 'Ready')?.status ?? 'False',
    managed: String(label(karpenterLabels.nodePool) !== ''),
  };
}

/** As a path of its API: `/apis/apps/v1/namespaces/default/replicasets/web`. */
function printPodOwner({ metadata }: Pod): string {
  const [owner] = metadata.ownerReferences ?? [];
  if (owner === undefined) return '';
  const root = owner.apiVersion.includes('/') ? 'apis' : 'api';
  return `/${root}/${owner.apiVersion}/namespaces/${metadata.namespace ?? ''}/${owner.kind.toLowerCase()}s/${owner.name}`;
}

const ageInSeconds = (timestamp: string | undefined, now: Instant): number =>
  timestamp === undefined ? 0 : (now - fromTimestamp(timestamp)) / 1_000;
