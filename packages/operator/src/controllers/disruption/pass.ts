import { instant, type Instant } from '@nodewright/apis';
import {
  validationMs,
  type DisruptionCommand,
  type DisruptionMethod,
  type DisruptionSnapshot,
  type MethodPlan,
  type CommandValidation,
} from '@nodewright/engine';

/** A command that waits to see whether it is still right in a while. Only in memory: a restart just waits anew. */
export type Proposal = {
  readonly method: DisruptionMethod;
  readonly command: DisruptionCommand;
  readonly checkAt: Instant;
};

/** What a method was asked, and what it said. */
export type MethodEvaluation = { readonly method: DisruptionMethod; readonly plan: MethodPlan };

export type Pass = {
  /** To be started now, all together. */
  readonly commands: readonly DisruptionCommand[];
  /** What waits from now on, whether it did before or not. */
  readonly proposal?: Proposal;
  /** What became of the proposal that was due. */
  readonly validation?: CommandValidation & { readonly of: Proposal };
  readonly evaluations: readonly MethodEvaluation[];
};

/**
 * Asks the methods in order until one finds something to do. What one of them proposed earlier is looked at again when
 * its time has come; until then the others go on that start their commands at once, and leave its nodes alone.
 */
export function disruptionPass(
  methods: readonly DisruptionMethod[],
  seen: DisruptionSnapshot,
  { proposal, now }: { readonly proposal: Proposal | undefined; readonly now: Instant },
): Pass {
  if (proposal === undefined) return firstFound(methods, seen, now);
  if (now < proposal.checkAt) {
    const immediate = methods.filter(({ validate }) => validate === undefined);
    return { ...firstFound(immediate, withQueued(seen, proposal), now), proposal };
  }
  const outcome = proposal.method.validate?.(proposal.command, seen, now) ?? { dropped: [] };
  const validation = { ...outcome, of: proposal };
  return outcome.command === undefined
    ? { ...firstFound(methods, seen, now), validation }
    : { commands: [outcome.command], validation, evaluations: [] };
}

function firstFound(methods: readonly DisruptionMethod[], seen: DisruptionSnapshot, now: Instant): Pass {
  const evaluations: MethodEvaluation[] = [];
  for (const method of methods) {
    const plan = method.plan(seen, now);
    evaluations.push({ method, plan });
    const [command] = plan.commands;
    if (command === undefined) continue;
    if (method.validate === undefined) return { commands: plan.commands, evaluations };
    return { commands: [], proposal: { method, command, checkAt: instant(now + validationMs) }, evaluations };
  }
  return { commands: [], evaluations };
}

function withQueued(seen: DisruptionSnapshot, { command }: Proposal): DisruptionSnapshot {
  const waiting = command.candidates.flatMap(({ state }) => state.nodeClaim?.metadata.name ?? []);
  return { ...seen, queued: new Set([...seen.queued, ...waiting]) };
}
