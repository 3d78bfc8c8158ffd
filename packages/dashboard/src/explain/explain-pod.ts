import { toTimestamp, type Instant, type Pod } from '@nodewright/apis';
import {
  isActivePod,
  isDaemonPod,
  isProvisionable,
  nodeNameOf,
  overlaysAtWork,
  podName,
  printedOverlays,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { NoSuchObjectError } from './no-such-object.ts';
import type { Explanation } from './explanation.ts';
import { podTrouble } from './pod-trouble.ts';

/** Where a pod runs, or what a scheduling round would do about it now. */
export function explainPod(
  key: { readonly name: string; readonly namespace: string },
  { pods, round }: Pick<ClusterReading, 'pods' | 'round'>,
  now: Instant,
): Explanation {
  const { name, namespace } = key;
  const pod = pods.find(({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace);
  if (pod === undefined) throw new NoSuchObjectError(`no pod ${name} in namespace ${namespace}; -n names another`);
  return { subject: { kind: 'Pod', name, namespace }, ...(outsideOfRounds(pod, now) ?? inRound(pod, round)) };
}

type PodExplanation = Omit<Explanation, 'subject'>;

function outsideOfRounds(pod: Pod, now: Instant): PodExplanation | undefined {
  const { nodeName } = pod.spec;
  if (nodeName !== undefined && nodeName !== '') return onNode(pod, nodeName, now);
  if (!isActivePod(pod)) return explainPodWith('has ended, or is ending');
  if (isDaemonPod(pod)) return explainPodWith('waits for its own node: pods of a DaemonSet start no others');
  const { nominatedNodeName } = pod.status ?? {};
  if (nominatedNodeName !== undefined)
    return explainPodWith(`waits for others to make room on node ${nominatedNodeName}`);
  const gates = (pod.spec.schedulingGates ?? []).map((gate) => gate.name);
  if (gates.length > 0) return explainPodWith(`is held by its scheduling gates: ${gates.join(', ')}`);
  return isProvisionable(pod)
    ? undefined
    : explainPodWith('waits for the scheduler, which has not found it unschedulable yet');
}

function onNode(pod: Pod, nodeName: string, now: Instant): PodExplanation {
  const trouble = podTrouble(pod, now);
  const phase = pod.status?.phase ?? 'Pending';
  return explainPodWith(`is on node ${nodeName}, ${phase}${trouble === undefined ? '' : `, and ${trouble}`}`);
}

function inRound(pod: Pod, round: ClusterReading['round']): PodExplanation {
  const { ignored, newNodes, existing, waiting, unschedulable, deferred } = round;
  const isIt = (other: Pod): boolean => podName(other) === podName(pod);
  const refusal = unschedulable.find((each) => isIt(each.pod));
  if (refusal !== undefined) return homeless(refusal);
  if (deferred.some(isIt))
    return explainPodWith('waits for reserved capacity: what is left of it is promised to other pods');
  const complaint = ignored.find((each) => isIt(each.pod))?.complaint;
  if (complaint !== undefined)
    return explainPodWith(
      complaint.kind === 'notOurs' ? 'asks for nodes that are not ours' : `is passed over: ${complaint.message}`,
    );
  const node = existing.find(({ pods }) => pods.some(isIt))?.node;
  if (node !== undefined) return explainPodWith(`fits on ${nodeNameOf(node)}, as soon as that is ready for it`);
  const awaited = waiting.find(({ pods }) => pods.some(isIt))?.node;
  if (awaited !== undefined)
    return explainPodWith(`waits for ${nodeNameOf(awaited)}, which was launched for it and does not suit it yet`);
  const launch = newNodes.find(({ pods }) => pods.some(isIt));
  if (launch === undefined) return explainPodWith('is not considered now');
  const cheapest = launch.instanceTypes.slice(0, 3).map(({ name }) => name);
  return explainPodWith(`gets a new node of NodePool ${launch.nodePool.metadata.name}`, [
    `the cheapest of ${launch.instanceTypes.length} instance types: ${cheapest.join(', ')}`,
    ...printedOverlays(overlaysAtWork(launch.instanceTypes)),
  ]);
}

const homeless = ({ reasons, until }: ClusterReading['round']['unschedulable'][number]): PodExplanation => ({
  ...explainPodWith('has no place, and no node that could be launched has one', reasons),
  ...(until === undefined
    ? {}
    : { changesAt: toTimestamp(until), change: 'the first of these reasons ends, and the pod is looked at again' }),
});

const explainPodWith = (answer: string, reasons: readonly string[] = []): PodExplanation => ({ answer, reasons });
