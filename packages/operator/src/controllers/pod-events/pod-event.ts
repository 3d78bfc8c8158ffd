import type { Pod } from '@nodewright/apis';
import { isTerminal, isTerminating } from '@nodewright/engine';

/** Whether a change says that a pod has come to its node, has ended there, or was asked to end. A pod seen for the first time counts. */
export function isPodEvent(before: Pod | undefined, after: Pod | undefined): boolean {
  if (after === undefined || !isBoundPod(after)) return false;
  if (before === undefined) return true;
  const differs = (is: (pod: Pod) => boolean): boolean => !is(before) && is(after);
  return differs(isBoundPod) || differs(isTerminal) || differs(isTerminating);
}

const isBoundPod = ({ spec }: Pod): boolean => (spec.nodeName ?? '') !== '';
