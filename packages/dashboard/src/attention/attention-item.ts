import type { ExplainPath } from '../rows/dashboard-rows.ts';

/** Something that is wrong or waits: what, why, and what to do. */
export type AttentionItem = {
  readonly id: string;
  /** Whether something does not work, a person is waited for, or it goes on by itself. */
  readonly urgency: 'broken' | 'waitsForPerson' | 'goesOn';
  readonly what: string;
  readonly why: string;
  readonly since?: string;
  /** When it goes on at the earliest, where the reason does not say it. */
  readonly until?: string;
  readonly todo?: string;
  /** Commands that lead on. */
  readonly commands: readonly string[];
  /** The view that shows more. */
  readonly view: 'fleet' | 'rollouts' | 'blockers' | 'images' | 'pods';
  readonly explain?: ExplainPath;
};
