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
import type { WaitingStage } from '../rows/dashboard-rows.ts';
import type { Explanation } from '../rows/dashboard-rows.ts';
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
  const { stage: _, ...explanation } = outcomeOnNode(pod, now) ?? createPodExplainer(round)(pod);
  return { subject: { kind: 'Pod', name, namespace }, ...explanation };
}

/** What becomes of a pod without a node: how far it is on its way to one, and the explanation. */
export type PodVerdict = Omit<Explanation, 'subject'> & { readonly stage: WaitingStage };

export type PodExplainer = (pod: Pod) => PodVerdict;

/** Indexes the outcome of a round once, to be asked about many pods without a node. */
export function createPodExplainer(round: ClusterReading['round']): PodExplainer {
  const verdicts = indexRound(round);
  return (pod) =>
    outsideOfRounds(pod) ?? verdicts.get(podName(pod)) ?? verdictOf('notLookedAt', 'is not considered now');
}

function outcomeOnNode(
  pod: Pod,
  now: Instant,
): (Omit<Explanation, 'subject'> & { readonly stage?: undefined }) | undefined {
  const { nodeName } = pod.spec;
  if (nodeName === undefined || nodeName === '') return undefined;
  const trouble = podTrouble(pod, now);
  const phase = pod.status?.phase ?? 'Pending';
  return { answer: `is on node ${nodeName}, ${phase}${trouble === undefined ? '' : `, and ${trouble}`}`, reasons: [] };
}

function outsideOfRounds(pod: Pod): PodVerdict | undefined {
  if (!isActivePod(pod)) return verdictOf('held', 'has ended, or is ending');
  if (isDaemonPod(pod)) return verdictOf('held', 'waits for its own node: pods of a DaemonSet start no others');
  const { nominatedNodeName } = pod.status ?? {};
  if (nominatedNodeName !== undefined)
    return verdictOf('existingNode', `waits for others to make room on node ${nominatedNodeName}`);
  const gates = (pod.spec.schedulingGates ?? []).map((gate) => gate.name);
  if (gates.length > 0) return verdictOf('held', `is held by its scheduling gates: ${gates.join(', ')}`);
  return isProvisionable(pod)
    ? undefined
    : verdictOf('notLookedAt', 'waits for the scheduler, which has not found it unschedulable yet');
}

/** The verdict on every pod of a round, by its name. Where a pod has several outcomes, the first one here counts. */
function indexRound(round: ClusterReading['round']): ReadonlyMap<string, PodVerdict> {
  const { ignored, newNodes, existing, waiting, unschedulable, deferred } = round;
  const entries: readonly (readonly [Pod, PodVerdict])[] = [
    ...unschedulable.map((refusal) => [refusal.pod, verdictOfRefusal(refusal)] as const),
    ...deferred.map((pod) => [pod, waitsForReservation] as const),
    ...ignored.map(({ pod, complaint }) => [pod, verdictOf('held', printPodComplaint(complaint))] as const),
    ...existing.flatMap(({ node, pods }) => {
      const verdict = verdictOf('existingNode', `fits on ${nodeNameOf(node)}, as soon as that is ready for it`);
      return pods.map((pod) => [pod, verdict] as const);
    }),
    ...waiting.flatMap(({ node, pods }) => {
      const answer = `waits for ${nodeNameOf(node)}, which was launched for it and does not suit it yet`;
      return pods.map((pod) => [pod, verdictOf('awaitedNode', answer)] as const);
    }),
    ...newNodes.flatMap((launch) => launch.pods.map((pod) => [pod, verdictOfLaunch(launch)] as const)),
  ];
  return new Map(entries.map(([pod, verdict]) => [podName(pod), verdict] as const).toReversed());
}

const printPodComplaint = (complaint: ClusterReading['round']['ignored'][number]['complaint']): string =>
  complaint.kind === 'notOurs' ? 'asks for nodes that are not ours' : `is passed over: ${complaint.message}`;

function verdictOfLaunch({ nodePool, instanceTypes }: ClusterReading['round']['newNodes'][number]): PodVerdict {
  const cheapest = instanceTypes.slice(0, 3).map(({ name }) => name);
  return verdictOf('newNode', `gets a new node of NodePool ${nodePool.metadata.name}`, [
    `the cheapest of ${instanceTypes.length} instance types: ${cheapest.join(', ')}`,
    ...printedOverlays(overlaysAtWork(instanceTypes)),
  ]);
}

const verdictOfRefusal = ({ reasons, until }: ClusterReading['round']['unschedulable'][number]): PodVerdict => ({
  ...verdictOf('noPlace', 'has no place, and no node that could be launched has one', reasons),
  ...(until === undefined
    ? {}
    : { changesAt: toTimestamp(until), change: 'the first of these reasons ends, and the pod is looked at again' }),
});

const verdictOf = (stage: WaitingStage, answer: string, reasons: readonly string[] = []): PodVerdict => ({
  stage,
  answer,
  reasons,
});

const waitsForReservation = verdictOf(
  'held',
  'waits for reserved capacity: what is left of it is promised to other pods',
);
