import type { LateNode } from './ages/late-nodes.ts';
import type { RolloutCourse } from './course.ts';
import type { InFlight } from './in-flight.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import type { RolloutStep } from './step.ts';
import type { MoveBlocker } from './gates/gate.ts';

/** What the parts of a plan share. */
export type PlanContext = {
  readonly seen: RolloutSnapshot;
  readonly settings: RolloutSettings;
  readonly course: RolloutCourse;
  readonly inFlight: InFlight;
  readonly step: RolloutStep | undefined;
  readonly driftBlocker: MoveBlocker | undefined;
  /** Nodes that go by force for their age before they can be let go. */
  readonly lateNodes: readonly LateNode[];
};
