import {
  conditionFalse,
  conditionTrue,
  nodeOverlayConditions,
  withCondition,
  withInitialConditions,
  type ConditionUpdate,
  type EC2NodeClass,
  type Instant,
  type NodeOverlay,
} from '@nodewright/apis';
import type { OverlayVerdict } from '@nodewright/engine';
import { requeueAfter, type Clock, type Logger, type Result } from '@nodewright/runtime';
import type { OverlaidTypes } from '../../state/overlaid-types.ts';
import { evaluateAllOverlays, type EvaluationSources } from './evaluate.ts';

const everySixHoursMs = 6 * 3_600_000;

type OverlayDeps = EvaluationSources & {
  readonly overlays: OverlaidTypes;
  readonly clock: Clock;
  readonly log: Logger;
};

/**
 * `nodeoverlay.controller`: finds out which overlays count, tells each why not, and lets those that do stand for all
 * pools at once.
 * @throws the error of a pool whose types could not be listed, once everything else is done
 */
export function overlayLoop(deps: OverlayDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const { objects, overlays, clock, log } = deps;
    const { standing, verdicts, failed } = await evaluateAllOverlays(deps, signal);
    for (const overlay of objects.nodeOverlays.list()) {
      const verdict = verdicts.get(overlay.metadata.name);
      if (verdict !== undefined) await objects.nodeOverlays.save(overlay, withVerdict(overlay, verdict, clock.now()));
    }
    overlays.stand(standing);
    log.debug('evaluated node overlays', { overlays: verdicts.size, accepted: standing.accepted.length });
    for (const { nodePool, error } of failed)
      log.error('skipping, unable to resolve instance types', { NodePool: { name: nodePool.metadata.name }, error });
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
      return conditionFalse('ValidationSucceeded', 'Conflict', verdict.message);
  }
}

/** From then on its instance types can be listed. */
export const gainsSubnets = (before: EC2NodeClass | undefined, after: EC2NodeClass | undefined): boolean =>
  (before?.status?.subnets ?? []).length === 0 && (after?.status?.subnets ?? []).length > 0;
