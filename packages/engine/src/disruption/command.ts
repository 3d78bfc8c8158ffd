import type { DisruptionReason } from '@nodewright/apis';
import type { ExistingPlacement, NewNode } from '../solve/problem.ts';
import type { Candidate } from './candidates/candidate.ts';

/** Which way of consolidating a command comes from; drift is none. */
export type ConsolidationType = 'empty' | 'multi' | 'single';

/** Nodes that are disrupted together: their replacements are launched first, and when all of those are ready they go. */
export type DisruptionCommand = {
  readonly reason: DisruptionReason;
  readonly consolidationType?: ConsolidationType;
  readonly candidates: readonly Candidate[];
  /** Nodes to launch beforehand; none when everything fits elsewhere. One of a pool with `replicas` is launched as its template says. */
  readonly replacements: readonly NewNode[];
  /** Nodes that are there and will take some of the pods. */
  readonly destinations: readonly ExistingPlacement[];
};
