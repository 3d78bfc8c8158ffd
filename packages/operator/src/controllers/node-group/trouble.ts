import { conditionFalse, nodeGroupConditions, withCondition, withoutCondition } from '@nodewright/apis';
import type { Instant, NodeGroup } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';

const type = 'Progressing';

/** The NodeGroup with what AWS answered to a call that failed; it is made again. Other errors are ours, and not for people. */
export function withTrouble(nodeGroup: NodeGroup, error: unknown, now: Instant): NodeGroup {
  if (!(error instanceof CloudError)) return nodeGroup;
  const reason = error.code.replaceAll(/[^A-Za-z0-9]/g, '') || 'CallFailed';
  return withCondition(nodeGroupConditions, nodeGroup, conditionFalse(type, reason, error.message), now);
}

/** Every call was answered. */
export const withoutTrouble = (nodeGroup: NodeGroup): NodeGroup =>
  withoutCondition(nodeGroupConditions, nodeGroup, type);
