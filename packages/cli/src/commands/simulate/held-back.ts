import type { Pod } from '@nodewright/apis';
import { isTerminating } from '@nodewright/engine';

/** Why a pod without a node waits for something else than a node; `undefined` when a node is all it waits for. */
export function whyHeldBack(pod: Pod): string | undefined {
  if (isTerminating(pod)) return 'it is being deleted';
  const gates = (pod.spec.schedulingGates ?? []).map(({ name }) => name);
  if (gates.length > 0) return `it is held by its scheduling gates: ${gates.join(', ')}`;
  const { nominatedNodeName = '' } = pod.status ?? {};
  return nominatedNodeName === '' ? undefined : `it waits for others to make room on node ${nominatedNodeName}`;
}
