import type { DisruptionReason } from '@nodewright/apis';
import type { ExistingPlacement, NewNode } from '../solve/problem.ts';
import type { DisruptionCandidate } from './candidates/candidate.ts';

/** Which way of consolidating a command comes from; drift is none. */
export type ConsolidationType = 'empty' | 'multi' | 'single';

/** Nodes that are disrupted together. Their replacements are launched first; when all are ready, the nodes are removed. */
export type DisruptionCommand = {
  readonly reason: DisruptionReason;
  readonly consolidationType?: ConsolidationType;
  readonly candidates: readonly DisruptionCandidate[];
  /** Nodes to launch first; none when all pods fit elsewhere. A pool with `replicas` launches them from its template. */
  readonly replacements: readonly NewNode[];
  /** Nodes that are there and will take some of the pods. */
  readonly destinations: readonly ExistingPlacement[];
};
