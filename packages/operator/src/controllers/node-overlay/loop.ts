import {
  conditionFalse,
  conditionTrue,
  hours,
  nodeOverlayConditions,
  withCondition,
  withInitialConditions,
  type ConditionUpdate,
  type Instant,
  type NodeOverlay,
} from '@nodewright/apis';
import type { OverlayVerdict } from '@nodewright/engine';
import { requeueAfter, type Clock, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { evaluateAllOverlays, type EvaluationSources } from './evaluate.ts';
import { reportEvaluation } from './report.ts';

const everySixHoursMs = hours(6);

type OverlayDeps = EvaluationSources & {
  readonly overlays: OverlaidTypes;
  readonly clock: Clock;
  readonly publish: Publisher;
};

/**
 * `nodeoverlay.controller`: finds out which overlays count, tells each why not, and lets those that do stand for all
 * pools at once.
 * @throws the error of a pool whose types could not be listed, once everything else is done
 */
export function overlayLoop(deps: OverlayDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const { objects, overlays, clock, publish } = deps;
    const round = await evaluateAllOverlays(deps, signal);
    const { standing, verdicts, failed } = round;
    for (const overlay of objects.nodeOverlays.list()) {
      const verdict = verdicts.get(overlay.metadata.name);
      if (verdict !== undefined) await objects.nodeOverlays.save(overlay, withVerdict(overlay, verdict, clock.now()));
    }
    overlays.stand(standing);
    publish(reportEvaluation(round));
    const [first] = failed;
    if (first !== undefined) throw first.error;
    return requeueAfter(everySixHoursMs);
  };
}

function withVerdict(overlay: NodeOverlay, verdict: OverlayVerdict, now: Instant): NodeOverlay {
  const known = withInitialConditions(nodeOverlayConditions, overlay, now);
  return withCondition(nodeOverlayConditions, known, conditionOfVerdict(verdict), now);
}

function conditionOfVerdict(verdict: OverlayVerdict): ConditionUpdate {
  switch (verdict.kind) {
    case 'accepted':
      return conditionTrue('ValidationSucceeded');
    case 'invalid':
      return conditionFalse('ValidationSucceeded', 'RuntimeValidation', verdict.message);
    case 'conflict':
      return conditionFalse('ValidationSucceeded', 'Conflict', `conflict with another overlay: ${verdict.message}`);
  }
}
