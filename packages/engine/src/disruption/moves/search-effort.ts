import { WorkMeter } from '../../solve/work-meter.ts';

/** After so much a search ends with what it has found, wherever and however fast it runs. */
export type SearchLimits = {
  /** Tries, each of which is at most one simulation of the scheduler [no limit]. */
  readonly mostTries?: number;
  /** Units of `WorkMeter` [no limit]. */
  readonly workLimit?: number;
};

/** The tries of one search and their work, held against its limits. */
export class SearchEffort {
  readonly meter: WorkMeter;
  readonly #mostTries: number;
  #tries = 0;
  #isCutShort = false;

  constructor({ mostTries = Infinity, workLimit }: SearchLimits) {
    this.meter = new WorkMeter(workLimit);
    this.#mostTries = mostTries;
  }

  /** Whether a try was wanted after a limit had been reached. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /** Begins a try. @returns false when a limit has been reached */
  beginTry(): boolean {
    this.#isCutShort ||= this.#tries >= this.#mostTries || this.meter.isUsedUp;
    if (!this.#isCutShort) this.#tries += 1;
    return !this.#isCutShort;
  }
}
