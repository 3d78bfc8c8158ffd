import type { Instant, KubernetesObject } from '@nodewright/apis';
import type { ObservedWorld } from './observed-world.ts';

/** What holds after every step of every world. */
export type Invariant = {
  /** Kebab case; stays the same. */
  readonly id: string;
  /** The rule in one sentence, for people. */
  readonly sentence: string;
  /** Lists what breaks the rule in this step, in the present tense. Empty when the rule holds. */
  readonly check: (step: WorldStep) => readonly string[];
};

/** One thing that has happened, and the world right after it. */
export type WorldStep = { readonly world: ObservedWorld; readonly happening: Happening };

export type Happening = ObservedWrite | GrantedLaunch | WantedEnd | RestReached;

/** An object was written. */
export type ObservedWrite = {
  readonly kind: 'written';
  readonly collection: string;
  /** The object before; absent for a new one. */
  readonly before: KubernetesObject | undefined;
  /** The object after; absent for a removed one. */
  readonly after: KubernetesObject | undefined;
  /** The version of the write. */
  readonly revision: number;
  /** The process of the operator that wrote it; `undefined` for everybody else. */
  readonly operator: string | undefined;
};

/** EC2 granted a launch that the operator asked for. */
export type GrantedLaunch = {
  readonly kind: 'launched';
  /** Name of the NodeClaim. */
  readonly claim: string;
  readonly instanceId: string;
  readonly imageId: string;
};

/** The operator told EC2 to end an instance. */
export type WantedEnd = { readonly kind: 'ended'; readonly instanceId: string };

/** The faults are over, and the time in which a world comes to rest has passed. */
export type RestReached = {
  readonly kind: 'rested';
  /** Since when nothing has stood against rest. */
  readonly since: Instant | undefined;
  /** What stands against rest. */
  readonly unrest: readonly string[];
};
