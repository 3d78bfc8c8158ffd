import {
  type Condition,
  nodeRolloutPolicies,
  type NodeRolloutPolicy,
  nodeRollouts,
  type NodeRollout,
} from '@nodewright/apis';
import type { RolloutAction, RolloutHappening } from '@nodewright/engine';
import { counterEntry, eventEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';

const troubleKinds: ReadonlySet<RolloutHappening['kind']> = new Set(['NodeFailed', 'Halted', 'Parked', 'Stalled']);

/** Each happening of a rollout once, as an event, a line of the log and a count. */
export function reportHappenings(
  rollout: NodeRollout,
  happenings: readonly RolloutHappening[],
): readonly ReportEntry[] {
  const { name, uid } = rollout.metadata;
  return happenings
    .filter((happening) => happening.rollout === name)
    .flatMap(({ kind, message }) => [
      eventEntry({
        kind: nodeRollouts,
        about: rollout,
        type: troubleKinds.has(kind) ? 'Warning' : 'Normal',
        reason: kind,
        message,
        dedupe: [uid ?? name, kind, message],
      }),
      logEntry(troubleKinds.has(kind) ? 'warn' : 'info', `rollout: ${kind}`, { NodeRollout: { name }, message }),
      counterEntry('rolloutHappened', rollout.spec.policy, kind),
    ]);
}

/** Nodes that end before the policy can let them go are reported in every turn. The publisher leaves repetitions out. */
export function reportLateNodes(
  policy: NodeRolloutPolicy,
  conditions: readonly Condition[] | undefined,
): readonly ReportEntry[] {
  const found = conditions?.find(({ type, status }) => type === 'MaxAgeTooTight' && status === 'True');
  if (found === undefined) return [];
  const { name, uid } = policy.metadata;
  return [
    eventEntry({
      kind: nodeRolloutPolicies,
      about: policy,
      type: 'Warning',
      reason: found.type,
      message: found.message ?? '',
      dedupe: [uid ?? name, found.type],
    }),
  ];
}

type ToldAction = Extract<RolloutAction, { kind: 'release' | 'callOff' | 'writeRule' | 'deleteRule' }>;

/** What was done about a rollout, in the log. */
export function reportRolloutAction(action: ToldAction): readonly ReportEntry[] {
  switch (action.kind) {
    case 'release':
      return [
        logEntry('info', 'calling off a replacement', { NodeClaim: { name: action.node }, reason: action.because }),
      ];
    case 'callOff':
      return [
        logEntry('info', 'deleting a claim of a rollout', {
          NodeClaim: { name: action.claim },
          reason: action.because,
        }),
      ];
    case 'writeRule':
      return [
        logEntry('warn', 'keeping an image out', {
          ImageRule: { name: action.rule.metadata.name },
          reason: action.rule.spec.reason,
        }),
      ];
    case 'deleteRule':
      return [
        logEntry('info', 'letting an image in again', { ImageRule: { name: action.name }, reason: action.because }),
      ];
  }
}
