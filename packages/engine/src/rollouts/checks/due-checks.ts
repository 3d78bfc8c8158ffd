import {
  earliest,
  fromTimestamp,
  instant,
  type Instant,
  type NodeRollout,
  type NodeRolloutPolicySpec,
  parseAge,
  presetDefault,
  type RolloutCheck,
  seconds,
} from '@nodewright/apis';
import { hasEnded } from '../course.ts';
import { isRollback } from '../view.ts';
import { type CheckPlace, findCheckResult } from './check-results.ts';

/** A new node as checks see it. */
export type CheckedMember = {
  /** Its claim: the name that seats and failures have. */
  readonly name: string;
  /** Its Node. */
  readonly node: string;
  readonly hostname: string;
  readonly nodePool: string;
  readonly variant: string;
  readonly image: string;
};

export type CheckQuestion = {
  readonly spec: NodeRolloutPolicySpec;
  readonly rollout: NodeRollout;
  /** New nodes that are initialized and not leaving. */
  readonly members: readonly CheckedMember[];
  readonly now: Instant;
};

/** What is asked now. */
export type CheckTask =
  | { readonly kind: 'ask'; readonly check: RolloutCheck }
  /** A Job is to be run, or to be looked at. Its number tells it from earlier runs. */
  | { readonly kind: 'run'; readonly check: RolloutCheck; readonly member: CheckedMember; readonly run: number }
  | { readonly kind: 'look'; readonly check: RolloutCheck; readonly member: CheckedMember; readonly run: number };

export type CheckPlan = { readonly tasks: readonly CheckTask[]; readonly nextAt?: Instant };

/** How soon a Job that runs is looked at again. */
const lookPeriodMs = seconds(15);

/** Whether checks of the rollout are made: one that has ended, halted or leads back to proven images has none. */
export const isChecked = ({ spec, rollout }: Pick<CheckQuestion, 'spec' | 'rollout'>): boolean =>
  spec.mode !== 'Report' && !hasEnded(rollout) && rollout.status?.halted === undefined && !isRollback(rollout);

/**
 * Which checks are asked now. Queries and webhooks are asked at every interval while there are new nodes. A Job runs
 * once on every new node, and again after a failure, until it passes or has failed often enough.
 */
export function planChecks({ spec, rollout, members, now }: CheckQuestion): CheckPlan {
  const { checks = [] } = spec.health ?? {};
  if (!isChecked({ spec, rollout }) || members.length === 0) return { tasks: [] };
  const parts = checks.flatMap((check) => {
    const intervalMs = parseAge(check.interval ?? presetDefault('health.checks[].interval', spec.preset ?? 'standard'));
    const failures = check.failures ?? presetDefault('health.checks[].failures', spec.preset ?? 'standard');
    if (check.job === undefined) return [planQuery(check, { rollout, intervalMs, now })];
    return members.map((member) => planCheckJob(check, member, { rollout, intervalMs, failures, now }));
  });
  const nextAt = earliest(...parts.flatMap((part) => part.nextAt ?? []));
  return { tasks: parts.flatMap(({ tasks }) => tasks), ...(nextAt === undefined ? {} : { nextAt }) };
}

type CheckTerms = {
  readonly rollout: NodeRollout;
  readonly intervalMs: number;
  readonly now: Instant;
};

function planQuery(check: RolloutCheck, { rollout, intervalMs, now }: CheckTerms): CheckPlan {
  const before = findCheckResult(rollout.status ?? {}, { check: check.name });
  const dueAt = before === undefined ? now : instant(fromTimestamp(before.at) + intervalMs);
  return dueAt <= now
    ? { tasks: [{ kind: 'ask', check }], nextAt: instant(now + intervalMs) }
    : { tasks: [], nextAt: dueAt };
}

function planCheckJob(
  check: RolloutCheck,
  member: CheckedMember,
  { rollout, intervalMs, failures, now }: CheckTerms & { readonly failures: number },
): CheckPlan {
  const before = findCheckResult(rollout.status ?? {}, placeOfMember(check, member));
  const soon = instant(now + lookPeriodMs);
  if (before?.isRunning === true)
    return { tasks: [{ kind: 'look', check, member, run: before.run ?? 1 }], nextAt: soon };
  if (before?.state === 'Passes') return { tasks: [] };
  if (before?.state === 'Fails' && before.inARow >= failures) return { tasks: [] };
  const dueAt = before === undefined ? now : instant(fromTimestamp(before.at) + intervalMs);
  if (dueAt > now) return { tasks: [], nextAt: dueAt };
  return { tasks: [{ kind: 'run', check, member, run: (before?.run ?? 0) + 1 }], nextAt: soon };
}

export const placeOfMember = ({ name }: RolloutCheck, member: CheckedMember): CheckPlace => ({
  check: name,
  node: member.name,
});
