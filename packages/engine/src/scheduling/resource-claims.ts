import type { Pod } from '@nodewright/apis';
import type { SchedulingProblem, UnschedulablePod } from './problem.ts';

/** Whether a pod asks for devices by ResourceClaims: which node has them is not known before it is there. */
export const usesResourceClaims = ({ spec }: Pod): boolean =>
  (spec.resourceClaims ?? []).length > 0 ||
  spec.containers.some(hasClaims) ||
  (spec.initContainers ?? []).some(hasClaims);

const hasClaims = ({ resources }: Pod['spec']['containers'][number]): boolean => (resources?.claims ?? []).length > 0;

const reasons = [{ kind: 'resourceClaims' }] as const;

/** The problem without the pods that cannot be placed for their ResourceClaims, and without what such daemons would take. */
export function withoutResourceClaims(problem: SchedulingProblem): {
  readonly problem: SchedulingProblem;
  readonly refused: readonly UnschedulablePod[];
} {
  const { pods, daemonPods } = problem;
  if (!pods.some(usesResourceClaims) && !daemonPods.some(usesResourceClaims)) return { problem, refused: [] };
  const others = (all: readonly Pod[]): readonly Pod[] => all.filter((pod) => !usesResourceClaims(pod));
  return {
    problem: { ...problem, pods: others(pods), daemonPods: others(daemonPods) },
    refused: pods.filter(usesResourceClaims).map((pod) => ({ pod, reasons })),
  };
}
