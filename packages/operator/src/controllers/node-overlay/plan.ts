import {
  conditionFalse,
  conditionTrue,
  nodeOverlayConditions,
  withCondition,
  withInitialConditions,
  type ConditionUpdate,
  type Instant,
  type NodeOverlay,
} from '@nodewright/apis';
import { evaluateOverlays, type OverlayVerdict } from '@nodewright/engine';
import type { StandingOverlays } from '../../state/overlaid-types.ts';
import type { OverlaySnapshot } from './observe.ts';

export type OverlayPlan = {
  /** The overlays that count, and the pools they were held against. */
  readonly standing: StandingOverlays;
  /** Of every overlay, by name. */
  readonly verdicts: ReadonlyMap<string, OverlayVerdict>;
};

/** Holds every overlay against every pool. */
export function planOverlays({ overlays, supplies }: OverlaySnapshot): OverlayPlan {
  const { accepted, verdicts } = evaluateOverlays(overlays, supplies);
  const pools = new Set(supplies.map(({ nodePool }) => nodePool.metadata.name));
  return { standing: { accepted, pools }, verdicts };
}

/** The overlay with the condition that tells its verdict. */
export function withVerdict(overlay: NodeOverlay, verdict: OverlayVerdict, now: Instant): NodeOverlay {
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
