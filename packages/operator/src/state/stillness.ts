import { earliest, oncePerObject, type Instant, type NodeClaim, type Pod } from '@nodewright/apis';
import { isWaitingForNode } from '@nodewright/engine';
import type { AnswerChanges } from '@nodewright/ports';
import type { Clock } from '@nodewright/runtime';
import { endOfImagePause } from './closed-images.ts';
import { isManagedNodeClass } from './managed.ts';
import { answersAsAt } from './poll-cloud.ts';
import type { Objects } from './objects.ts';
import { areClaimsAtRest } from './rest.ts';

export type StillnessSources = {
  readonly objects: Objects;
  readonly clock: Pick<Clock, 'now'>;
  /** Of the cloud, which may tell that they stay as they are. */
  readonly answers?: AnswerChanges | undefined;
};

/**
 * Whether a decision on the whole cluster would be the same as at some moment: no watched object has changed since, the
 * cloud gives the same answers, and nothing is on its way. Without a cloud that tells of changes it is unknown.
 */
export class Stillness {
  readonly #objects: Objects;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #answers: AnswerChanges | undefined;
  readonly #handlers: (() => void)[] = [];
  #version: number | undefined;
  /** When time alone ends it, as was known when it began: `undefined` for never. */
  #until: Instant | undefined;
  #isBroken = true;

  constructor({ objects, clock, answers }: StillnessSources) {
    this.#objects = objects;
    this.#clock = clock;
    this.#answers = answers;
    for (const { cache } of Object.values<Watched>(objects)) cache.onChange(() => this.#break());
    answers?.onChange(() => this.#break());
  }

  /** What follows is compared with the cluster as it is now. */
  begin(): void {
    this.#isBroken = false;
    this.#version = this.#answers?.version();
    const end = this.#nextEnd();
    // While the answers change anyway, it does not hold, and there is no end to remember.
    this.#until = end !== undefined && end > this.#clock.now() ? end : undefined;
  }

  holds(): boolean {
    if (this.#isBroken || (this.#until !== undefined && this.#clock.now() >= this.#until)) return false;
    if (!answersAsAt(this.#version, { clock: this.#clock, changes: this.#answers })) return false;
    const { pods, nodeClaims } = this.#objects;
    return !isAnyWaiting(pods.list()) && areClaimsAtRest(managedClaims(nodeClaims.list()), this.#clock.now());
  }

  /** Until when it holds unless something changes: `undefined` for ever. */
  lastsUntil(): Instant | undefined {
    return earliest(this.#until, this.#nextEnd());
  }

  /** What is sold, and what images machines are launched from, changes with time. */
  #nextEnd(): Instant | undefined {
    const now = this.#clock.now();
    if (this.#answers === undefined) return now;
    return earliest(this.#answers.steadyUntil('market'), endOfImagePause(this.#objects, now));
  }

  /** Calls `handler` at the first change after each beginning. */
  onBreak(handler: () => void): void {
    this.#handlers.push(handler);
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    for (const handler of this.#handlers) handler();
  }
}

/** Any collection, as far as it tells of changes. */
type Watched = { readonly cache: { onChange(handler: () => void): unknown } };

const isAnyWaiting = oncePerObject((pods: readonly Pod[]): boolean => pods.some(isWaitingForNode));

const managedClaims = oncePerObject((claims: readonly NodeClaim[]): readonly NodeClaim[] =>
  claims.filter(({ spec }) => isManagedNodeClass(spec.nodeClassRef)),
);
