import { earliest, type Instant } from '@nodewright/apis';

/** Instants that time may not pass, by the name of what has to be done there first. */
export class Holds {
  readonly #byName = new Map<string, Instant>();
  #awaiting: (() => void)[] = [];

  /** Sets the hold of that name, or takes it away. */
  set(name: string, until: Instant | undefined): void {
    if (until === undefined) this.#byName.delete(name);
    else this.#byName.set(name, until);
    this.announce();
  }

  /** Returns the earliest hold; `undefined` without any. */
  earliest(): Instant | undefined {
    const [first, ...others] = this.#byName.values();
    return first === undefined ? undefined : earliest(first, ...others);
  }

  /** Resolves at the next change of a hold, or of what else was announced. */
  changed(): Promise<void> {
    return new Promise((resolve) => void this.#awaiting.push(resolve));
  }

  /** Lets those who wait for a change look again. */
  announce(): void {
    const awaiting = this.#awaiting;
    this.#awaiting = [];
    for (const resolve of awaiting) resolve();
  }
}
