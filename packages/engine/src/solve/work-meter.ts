/** What the steps of a decision take, in units of about two microseconds on a machine of today. */
export const workOf = {
  /** Taking up a node or a pod at the start. */
  listing: 1,
  /** Asking a node whether it takes a pod. */
  question: 1,
  /** Putting one pod or several equal ones on a node. */
  placement: 2,
  /** Finding the instance types of which a new node may be. */
  newNode: 20,
} as const;

/**
 * Counts the work of a decision, so that a limit does not depend on the speed of the machine: the same problem ends at
 * the same step everywhere.
 */
export class WorkMeter {
  readonly #limit: number;
  #spent = 0;

  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  get isUsedUp(): boolean {
    return this.#spent >= this.#limit;
  }

  add(units: number): void {
    this.#spent += units;
  }
}
