import { instant, type Instant } from '@nodewright/apis';
import type { UpdateRecord } from './update-record.ts';

/** What the host does next, in this order. Every action may be asked for again after a restart. */
export type UpdateAction =
  | { readonly kind: 'createVersion'; readonly configuration: string }
  | { readonly kind: 'pointGroup'; readonly configuration: string; readonly version: string }
  | { readonly kind: 'setSize'; readonly max: number; readonly desired: number }
  | { readonly kind: 'suspend' | 'resume'; readonly processes: readonly string[] }
  /** Taint it and take it out of load balancers, or undo that. */
  | { readonly kind: 'mark' | 'unmark' | 'cordon' | 'uncordon'; readonly node: string }
  | { readonly kind: 'evict' | 'delete'; readonly namespace: string; readonly pod: string; readonly node: string }
  | { readonly kind: 'terminate'; readonly instanceId: string; readonly decrement: boolean }
  /** End an instance of the warm pool. */
  | { readonly kind: 'discard'; readonly instanceId: string };

/** A pod that stays because its budget has no room. */
export type HeldPod = {
  readonly namespace: string;
  readonly pod: string;
  readonly node: string;
  readonly budget: string;
  /** Since when its node is being drained. */
  readonly since: Instant;
};

export type UpdatePlan = {
  readonly record: UpdateRecord;
  readonly actions: readonly UpdateAction[];
  /** One sentence for people. */
  readonly reason: string;
  readonly held: readonly HeldPod[];
  /** When to look again although nothing was seen to change; nothing once the update is over. */
  readonly recheckAt?: Instant;
};

type Stay = {
  readonly actions?: readonly UpdateAction[];
  readonly reason: string;
  readonly held?: readonly HeldPod[];
  readonly recheckAt: Instant;
};

export const keepPhase = (record: UpdateRecord, { actions = [], held = [], ...rest }: Stay): UpdatePlan => ({
  record,
  actions,
  held,
  ...rest,
});

/** On to another phase, which may have something to do at once. */
export const moveOn = (record: UpdateRecord, reason: string): UpdatePlan => ({ record, actions: [], held: [], reason });

export const addMilliseconds = (time: Instant, ms: number): Instant => instant(time + ms);
