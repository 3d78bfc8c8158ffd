import { tooManyRequestsError } from '../http/status-error.ts';

/** The limit of watches at a time. Every change costs work for each watch of its resource. */
const mostOpenWatches = 50_000;

/** Counts the open watches of a server. */
export class OpenWatches {
  readonly #most: number;
  #count = 0;

  constructor(most = mostOpenWatches) {
    this.#most = most;
  }

  /**
   * Counts a watch until the returned function is called.
   * @throws StatusError 429 when there are too many
   */
  open(): () => void {
    if (this.#count >= this.#most) throw tooManyRequestsError();
    this.#count += 1;
    return () => (this.#count -= 1);
  }
}
