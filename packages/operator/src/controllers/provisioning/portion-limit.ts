import { minutes, seconds } from '@nodewright/apis';

const firstMs = seconds(5);
/** As long as Karpenter's rounds may take. */
const longestPortionMs = minutes(1);

/** Units of work in a millisecond, as long as no round has shown how fast this machine is: less than most machines do. */
const cautiousPace = 200;
const slowestPace = 20;
const fastestPace = 2_000;

/** How a round ended. */
export type EndedPortion = {
  /** Pods that were not reached within the limit. */
  readonly unreached: number;
  /** How long the decision took. */
  readonly tookMs: number;
};

/**
 * How much work a round may do before it launches what it has found, so that the first nodes come soon however many
 * pods wait. The limit is part of what a round decides on; how fast the machine is only decides the next limit.
 *
 * The round after one that was cut short may take twice as long: it also puts the pods of the one before on their
 * nodes, which have not joined yet, and has to get further than that.
 */
export class PortionLimit {
  #ms = firstMs;
  #pace = cautiousPace;

  /** In units of the engine's `WorkMeter`. */
  get work(): number {
    return this.#ms * this.#pace;
  }

  ended({ unreached, tookMs }: EndedPortion): void {
    if (unreached > 0 && tookMs > 0)
      this.#pace = Math.min(fastestPace, Math.max(slowestPace, Math.round(this.work / tookMs)));
    this.#ms = unreached === 0 ? firstMs : Math.min(2 * this.#ms, longestPortionMs);
  }
}
