import type { SchedulingOptions } from '@nodewright/engine';
import { requeueAfter, type Result } from '@nodewright/runtime';
import type { OperatorInspection } from '../../reporting/inspection.ts';
import type { UnsyncedTime } from '../../state/unsynced-time.ts';
import { digestRound } from './digest-round.ts';
import { observeRound, type RoundSources } from './observe.ts';
import { performRound, type RoundDeps } from './perform.ts';
import { planRound } from './plan.ts';
import type { PortionLimit } from './portion-limit.ts';
import { listPreferringPods, type ToldPods } from './preferences.ts';
import { findFruitless, type RoundPauses } from './round-pauses.ts';
import { reportLateLaunches, reportRound, reportRoundAtWork, reportRoundEnd } from './report.ts';

export type ProvisionerDeps = RoundSources &
  RoundDeps & {
    readonly options: SchedulingOptions;
    readonly unsynced: UnsyncedTime;
    readonly toldOf: ToldPods;
    readonly portion: PortionLimit;
    readonly pauses: Pick<RoundPauses, 'begin' | 'note'>;
    readonly inspection?: Pick<OperatorInspection, 'noteRound'> | undefined;
  };

/** `provisioner`: one round after each batch window. */
export function createProvisioner(deps: ProvisionerDeps): (signal: AbortSignal) => Promise<Result> {
  const { clock, options, pauses, portion, publish, toldOf } = deps;
  return async (signal) => {
    if (!(await waitForBatch(deps, signal))) return requeueAfter(0);

    const begun = clock.now();
    const news = pauses.begin();
    const seen = { ...(await observeRound(deps, begun, signal)), workLimit: portion.work };

    const decidedFrom = clock.now();
    const plan = planRound(seen, options, begun);
    portion.ended({ unreached: plan.unreached, tookMs: clock.now() - decidedFrom });
    pauses.note(findFruitless(seen, plan), news, begun);

    const untold = toldOf.untold(listPreferringPods(seen.pending, options), clock.now());
    publish(reportRound({ seen, plan, options, untold, tookMs: clock.now() - begun }));

    deps.inspection?.noteRound(digestRound({ plan, pending: seen.pending, begun, tookMs: clock.now() - begun }));
    publish(reportRoundAtWork(`${begun}`, seen.pending.length, clock.now() - begun));
    try {
      await performRound(deps, seen, plan, signal);
    } finally {
      publish(reportRoundEnd(`${begun}`));
    }
    return requeueAfter(0);
  };
}

/** @returns false when a launch is under way whose size is not known yet: the pods wait for another window */
async function waitForBatch(
  { window, unsynced, state, clock, publish }: ProvisionerDeps,
  signal: AbortSignal,
): Promise<boolean> {
  await window.closed(signal);
  if (unsynced.isWorthTelling()) publish(reportLateLaunches(state.launches.underWay, unsynced.ms));
  if (!state.launches.isAwaited(clock.now())) return true;
  window.trigger('the cluster state is not synced');
  return false;
}
