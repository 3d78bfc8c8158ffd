import { type MissingEvidence, printMissingEvidence } from './evidence-hold.ts';
import type { holdOfChecks } from './health/member-health.ts';
import type { NeighbourHold } from './neighbours.ts';
import type { RolloutSettings } from './settings.ts';
import type { WaveProgress } from './wave-progress.ts';

/** What keeps the wave under way from beginning or ending. */
export type StepHolds = {
  readonly check: ReturnType<typeof holdOfChecks>;
  /** A check that has to pass before the wave ends. */
  readonly unsettled: string | undefined;
  readonly neighbour: NeighbourHold | undefined;
  readonly missing: readonly MissingEvidence[];
};

/** What a rollout waits for a person for, and which request leads on. */
export type PersonWait = { readonly request: 'approve' | 'skip-soak'; readonly message: string };

/** What a person has to do before the wave goes on, if anything. */
export function findPersonWait(
  wave: WaveProgress,
  holds: StepHolds,
  settings: RolloutSettings,
): PersonWait | undefined {
  const { name } = wave.status;
  if (!wave.isBegun) return waitForApproval(name, `wave ${name} needs an approval`);
  if (holds.check !== undefined)
    return waitForSkip(name, `check ${holds.check.check} cannot be asked: ${holds.check.detail}`);
  if (holds.neighbour?.needsPerson === true)
    return waitForApproval(name, `cluster ${holds.neighbour.cluster}: ${holds.neighbour.because}`);
  if (settings.withoutEvidence === 'Proceed' || wave.isSoakSkipped) return undefined;
  if (wave.isWithoutMembers)
    return waitForSkip(name, `NoEvidence: no node group fits into wave ${name}, and none is named as canaryGroup`);
  if (wave.seatsWithoutEvidence > 0)
    return waitForSkip(name, `NoEvidence: ${wave.seatsWithoutEvidence} new nodes had no pods`);
  return holds.missing.length === 0 ? undefined : waitForSkip(name, printMissingEvidence(holds.missing));
}

const waitForApproval = (wave: string, message: string): PersonWait => ({
  request: 'approve',
  message: `${message}: annotate it with nodewright.dev/approve=${wave}`,
});

const waitForSkip = (wave: string, message: string): PersonWait => ({
  request: 'skip-soak',
  message: `${message}; annotate it with nodewright.dev/skip-soak=${wave}=<reason> to go on`,
});
