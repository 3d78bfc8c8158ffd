import type { Condition, Pod } from '@nodewright/apis';

type ReadinessChange = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * The condition `Ready` of a pod: that of its containers, and then those that its readiness gates name.
 * @param containers the condition `ContainersReady`
 */
export function podReadyCondition(pod: Pod, containers: Omit<ReadinessChange, 'type'>): ReadinessChange {
  if (containers.status !== 'True') return { ...containers, type: 'Ready' };
  const problems = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => gateProblem(pod, conditionType));
  if (problems.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function gateProblem({ status }: Pod, type: string): readonly string[] {
  const gate = status?.conditions?.find((condition) => condition.type === type);
  if (gate === undefined) return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
  if (gate.status === 'True') return [];
  return [`the status of pod readiness gate "${type}" is not "True", but ${gate.status}`];
}
