import { hours } from '@nodewright/apis';
import { requeueAfter, type Clock, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { observeOverlays, type OverlaySources } from './observe.ts';
import { planOverlays, withVerdict } from './plan.ts';
import { reportEvaluation } from './report.ts';

const everySixHoursMs = hours(6);

type OverlayDeps = OverlaySources & {
  readonly overlays: OverlaidTypes;
  readonly clock: Clock;
  readonly publish: Publisher;
};

/**
 * `nodeoverlay.controller`: finds out which overlays count, writes the reason on every other one, and applies the overlays
 * that count to all pools at once.
 * @throws the error of a pool whose types could not be listed, once everything else is done
 */
export function overlayLoop(deps: OverlayDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const { objects, overlays, clock, publish } = deps;
    const seen = await observeOverlays(deps, signal);
    const plan = planOverlays(seen);
    for (const overlay of seen.overlays) {
      const verdict = plan.verdicts.get(overlay.metadata.name);
      if (verdict !== undefined) await objects.nodeOverlays.save(overlay, withVerdict(overlay, verdict, clock.now()));
    }
    overlays.stand(plan.standing);
    publish(reportEvaluation(plan, seen.failed));
    const [first] = seen.failed;
    if (first !== undefined) throw first.error;
    return requeueAfter(everySixHoursMs);
  };
}
