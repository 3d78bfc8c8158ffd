import type { Pod } from '@nodewright/apis';
import type { SchedulingProblem, UnschedulablePod } from '../problem.ts';
import type { UnschedulableReason } from '../reasons/reasons.ts';
import { meetableTerms, requiredTermsOf } from '../../pods/required-terms.ts';

/** Whether a pod requests devices with ResourceClaims. Which node has them is unknown before the node exists. */
const usesResourceClaims = ({ spec }: Pod): boolean =>
  (spec.resourceClaims ?? []).length > 0 ||
  spec.containers.some(hasClaims) ||
  (spec.initContainers ?? []).some(hasClaims);

const hasClaims = ({ resources }: Pod['spec']['containers'][number]): boolean => (resources?.claims ?? []).length > 0;

/** Whether a pod has alternatives in its required node affinity and none of them can be met. */
function hasNoAlternative(pod: Pod): boolean {
  const terms = requiredTermsOf(pod);
  return terms.length > 0 && meetableTerms(terms).length === 0;
}

function unplaceable(pod: Pod): UnschedulableReason | undefined {
  if (usesResourceClaims(pod)) return { kind: 'resourceClaims' };
  return hasNoAlternative(pod) ? { kind: 'noAlternative' } : undefined;
}

/** The problem without pods that no node can take, and without the overhead of such daemons. */
export function withoutUnplaceable(problem: SchedulingProblem): {
  readonly problem: SchedulingProblem;
  readonly refused: readonly UnschedulablePod[];
} {
  const { pods, daemonPods } = problem;
  const refused = pods.flatMap((pod) => {
    const reason = unplaceable(pod);
    return reason === undefined ? [] : [{ pod, reasons: [reason] }];
  });
  if (refused.length === 0 && !daemonPods.some(usesResourceClaims)) return { problem, refused };
  const left = new Set(refused.map(({ pod }) => pod));
  return {
    problem: {
      ...problem,
      pods: pods.filter((pod) => !left.has(pod)),
      daemonPods: daemonPods.filter((pod) => !usesResourceClaims(pod)),
    },
    refused,
  };
}
