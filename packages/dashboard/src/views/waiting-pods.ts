import { byText, byTextOf, earliest, fromTimestamp, type Pod, toTimestamp } from '@nodewright/apis';
import { isActivePod, isMirrorPod, podName } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { createPodExplainer, type PodExplainer, type PodVerdict } from '../explain/explain-pod.ts';
import type { WaitingRow } from '../rows/dashboard-rows.ts';

const mostPodNames = 50;

/** Pods without a node, together with those that wait for the same reasons. By id. */
export const viewWaitingPods = ({ pods, round }: Pick<ClusterReading, 'pods' | 'round'>): readonly WaitingRow[] =>
  groupWaitingPods(pods, createPodExplainer(round));

/** Pods without a node, together with those of which the same is said. By id. */
export function groupWaitingPods(pods: readonly Pod[], explain: PodExplainer): readonly WaitingRow[] {
  const groups = new Map<string, { readonly verdict: PodVerdict; readonly pods: Pod[] }>();
  for (const pod of pods.filter(isWaitingPod)) {
    const verdict = explain(pod);
    const id = [verdict.stage, verdict.answer, ...verdict.reasons].join('\n');
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { verdict, pods: [pod] });
    else group.pods.push(pod);
  }
  return [...groups].map(([id, group]) => viewGroup(id, group)).toSorted(byTextOf(({ id }) => id));
}

const isWaitingPod = (pod: Pod): boolean =>
  (pod.spec.nodeName ?? '') === '' && isActivePod(pod) && !isMirrorPod(pod) && pod.status?.phase !== 'Running';

type WaitingGroup = { readonly verdict: PodVerdict; readonly pods: readonly Pod[] };

function viewGroup(id: string, { verdict, pods }: WaitingGroup): WaitingRow {
  const { stage, answer, reasons, changesAt } = verdict;
  const since = earliest(
    ...pods.map(({ metadata: { creationTimestamp: at } }) => (at === undefined ? undefined : fromTimestamp(at))),
  );
  const names = pods.map(podName).toSorted(byText);
  return {
    id,
    stage,
    answer,
    reasons,
    pods: pods.length,
    names: names.slice(0, mostPodNames),
    ...(since === undefined ? {} : { since: toTimestamp(since) }),
    ...(changesAt === undefined ? {} : { changesAt }),
    explain: `pod/${names[0] ?? ''}`,
  };
}
