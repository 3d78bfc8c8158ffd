const firstMs = 5_000;
/** As long as Karpenter's rounds may take. */
const longestPortionMs = 60_000;

/**
 * How long a round may decide before it launches what it has found, so that the first nodes come soon however many
 * pods wait.
 *
 * The round after one that was cut short may take twice as long: it also puts the pods of the one before on their
 * nodes, which have not joined yet, and has to get further than that.
 */
export class PortionLimit {
  #ms = firstMs;

  get ms(): number {
    return this.#ms;
  }

  /** @param unreached pods that a round had no time for */
  ended(unreached: number): void {
    this.#ms = unreached === 0 ? firstMs : Math.min(2 * this.#ms, longestPortionMs);
  }
}
