import {
  conditionOf,
  fromTimestamp,
  karpenterAnnotations,
  labelSelectorPredicate,
  nodeClaims,
  type Pod,
  podDisruptionBudgets,
  pods,
} from '@nodewright/apis';
import { fullyBlockingRule, isActivePod, isProtected, podName } from '@nodewright/engine';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { PreflightFinding } from './preflight-finding.ts';

/** Budgets that never let a pod go, with the nodes that they keep. */
export function checkBudgets({ kubernetes }: Snapshot): readonly PreflightFinding[] {
  const running = snapshotObjects(kubernetes, pods).filter(
    (pod) => isActivePod(pod) && pod.spec.nodeName !== undefined,
  );
  return snapshotObjects(kubernetes, podDisruptionBudgets).flatMap((budget): readonly PreflightFinding[] => {
    const rule = fullyBlockingRule(budget);
    const { namespace, name } = budget.metadata;
    const selects = labelSelectorPredicate(budget.spec.selector);
    const covered = running.filter(
      ({ metadata }) => metadata.namespace === namespace && selects(metadata.labels ?? {}),
    );
    if (rule === undefined || covered.length === 0) return [];
    const on = new Set(covered.map(({ spec }) => spec.nodeName)).size;
    return [
      {
        check: 'budget',
        about: `PodDisruptionBudget ${namespace}/${name}`,
        verdict: 'blocked',
        says: `never lets one of ${countOf(covered.length, 'pod')} go: ${rule}; ${countOf(on, 'node')} cannot be drained`,
        instead: 'maxUnavailable: 1, or one replica more',
      },
    ];
  });
}

/** Pods that are not to be disrupted on nodes without a time limit for a drain. */
export function checkProtections({ kubernetes, takenAt }: Snapshot): readonly PreflightFinding[] {
  const now = fromTimestamp(takenAt);
  const unlimited = new Set(
    snapshotObjects(kubernetes, nodeClaims)
      .filter(
        (claim) => claim.spec.terminationGracePeriod === undefined && conditionOf(claim, 'Launched')?.status === 'True',
      )
      .flatMap(({ status }) => status?.nodeName ?? []),
  );
  const kept = snapshotObjects(kubernetes, pods).filter(
    (pod: Pod) => isActivePod(pod) && unlimited.has(pod.spec.nodeName ?? '') && isProtected(pod, now),
  );
  if (kept.length === 0) return [];
  const named = kept.slice(0, 3).map(podName).join(', ');
  return [
    {
      check: 'protection',
      about: karpenterAnnotations.doNotDisrupt,
      verdict: 'attention',
      says: `${countOf(kept.length, 'pod')} (${named}${kept.length > 3 ? ', ...' : ''}) keep their nodes for as long as they run`,
      instead: 'set terminationGracePeriod in the template of the NodePool, or let these pods end first',
    },
  ];
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
