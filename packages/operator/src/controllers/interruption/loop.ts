import type { Interruption, InterruptionPort, QueuedMessage } from '@nodewright/ports';
import { requeueAfter, type Result } from '@nodewright/runtime';
import { type InterruptionAction, planInterruptions } from './plan.ts';
import { performInterruption, type InterruptionActionDeps } from './perform.ts';
import { reportMalformed, reportReceived, reportRemoved } from './report.ts';
import { victimsOf } from './victims.ts';

type InterruptionDeps = InterruptionActionDeps & { readonly interruptions: InterruptionPort };

type UnderstoodMessage = { readonly message: QueuedMessage; readonly interruption: Interruption };

/**
 * `interruption`: draws the consequences of what the queue announces, and removes a message when all are
 * drawn. What fails comes again with its message.
 */
export function interruptionLoop(deps: InterruptionDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const messages = await deps.interruptions.receive(signal);
    const understood = messages.flatMap((message) => understoodOf(deps, message));
    const seen = understood.map(({ interruption: { kind, instanceIds } }) => ({
      kind,
      victims: victimsOf(deps.objects, instanceIds),
    }));
    const plans = planInterruptions(seen);
    const malformed = messages.filter(({ content }) => content.kind === 'malformed');
    const outcomes = await Promise.allSettled([
      ...malformed.map((message) => removeMessage(deps, message, signal)),
      ...understood.map((each, index) => answerMessage(deps, { ...each, actions: plans[index] ?? [] }, signal)),
    ]);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (failures.length > 0) throw failures[0];
    return requeueAfter(0);
  };
}

function understoodOf({ publish }: InterruptionDeps, message: QueuedMessage): readonly UnderstoodMessage[] {
  const { content } = message;
  if (content.kind !== 'malformed') return [{ message, interruption: content }];
  publish(reportMalformed(content.because));
  return [];
}

async function answerMessage(
  deps: InterruptionDeps,
  { message, interruption, actions }: UnderstoodMessage & { readonly actions: readonly InterruptionAction[] },
  signal: AbortSignal,
): Promise<void> {
  deps.publish(reportReceived(interruption, deps.clock.now()));
  await performInterruption(deps, actions);
  await removeMessage(deps, message, signal);
}

async function removeMessage(deps: InterruptionDeps, message: QueuedMessage, signal: AbortSignal): Promise<void> {
  await deps.interruptions.remove(message, signal);
  deps.publish(reportRemoved);
}
