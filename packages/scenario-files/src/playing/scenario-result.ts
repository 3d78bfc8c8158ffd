import type { Instant } from '@nodewright/apis';
import type { ExplainedPart } from '../expressions/explain-value.ts';
import type { FilePlace } from '../reading/source-text.ts';
import type { TimelineEntry } from '../world/timeline.ts';

/** Why a scenario failed, and what led there. */
export type ScenarioFailure = {
  readonly kind: 'expect' | 'waitUntil' | 'always' | 'never' | 'step';
  readonly place: FilePlace;
  /** As it is written. */
  readonly text: string;
  readonly because?: string;
  /** What is wrong, in a sentence. */
  readonly message: string;
  readonly at: Instant;
  readonly values: readonly ExplainedPart[];
  /** What happened in the minutes before, the newest last. */
  readonly before: readonly TimelineEntry[];
};

/** How one play of a scenario ended. */
export type ScenarioResult = {
  readonly name: string;
  /** The case of the scenario; empty without one. */
  readonly case: string;
  readonly file: string;
  readonly seed: number;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly failure?: ScenarioFailure;
  /** What it says of a team's manifests, where that is neither passed nor failed. */
  readonly verdict?: PlayVerdict;
  /** The command that plays it again, without its name and seed [`nodewright test` and the file]. */
  readonly repeat?: string;
  readonly remarks: readonly string[];
  /** The numbers of the steps that could not be done, from 0, where those are passed over. */
  readonly passedOver: readonly number[];
};

/**
 * Of an incident of others, played with the manifests of a team: whether its bad end came, or that it could not be played, and
 * why not in words.
 */
export type PlayVerdict =
  | { readonly kind: 'badEnd' }
  | { readonly kind: 'noBadEnd' | 'notPlayed'; readonly because: string };

/** The name of a play: of the scenario, and its case. */
export const titleOfResult = ({ name, case: played }: Pick<ScenarioResult, 'name' | 'case'>): string =>
  played === '' ? name : `${name} (${played})`;
