import { nodeRollouts, type NodeRollout } from '@nodewright/apis';
import { type CheckPlace, type CheckVerdict, findCheckResult } from '@nodewright/engine';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';

/** Every answer is counted. A check that stops passing is reported once. */
export function reportVerdict(
  rollout: NodeRollout,
  place: CheckPlace,
  { state, detail }: CheckVerdict,
): readonly ReportEntry[] {
  const { name } = rollout.metadata;
  const count = counterEntry('checkAnswered', rollout.spec.policy, place.check, state);
  const isNews = findCheckResult(rollout.status ?? {}, place)?.state !== state;
  if (state === 'Passes' || !isNews) return [count];
  const where = place.node === undefined ? '' : ` on ${place.node}`;
  const told =
    state === 'Fails' ? `check ${place.check} fails${where}` : `check ${place.check} cannot be asked${where}`;
  return [
    count,
    eventEntry({
      kind: nodeRollouts,
      about: rollout,
      type: 'Warning',
      reason: state === 'Fails' ? 'CheckFails' : 'CheckCannotBeAsked',
      message: `${told}: ${detail}`,
    }),
    logEntry('warn', told, { NodeRollout: { name }, reason: detail }),
  ];
}
