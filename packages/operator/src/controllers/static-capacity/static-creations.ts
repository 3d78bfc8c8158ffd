import { instant, type Instant, minutes, type NodeClaim, seconds } from '@nodewright/apis';

type Creations = {
  /** Tells the specs of pool and class from others. */
  readonly specs: string;
  /** When claims were created last, and since when creations have followed failures. */
  readonly at: Instant;
  readonly since: Instant;
  /** Claims of which it is not known yet whether they are launched. */
  readonly open: ReadonlySet<string>;
  /** Since the last creation, one of them went before it was launched. */
  readonly hasFailed: boolean;
};

const shortestRestMs = seconds(1);
const longestRestMs = minutes(1);

/**
 * What became of the claims that were created for each pool, so that those that go before they are launched are not
 * replaced on the spot, again and again. The rest is as long as creations have failed already, between a second and a
 * minute. Other specs of pool or class end it, and so does a restart.
 */
export class StaticCreations {
  readonly #of = new Map<string, Creations>();

  noteCreated(pool: string, specs: string, claims: readonly NodeClaim[], now: Instant): void {
    const before = this.#of.get(pool);
    const since = before?.specs === specs && before.hasFailed ? before.since : now;
    const open = new Set([...(before?.open ?? []), ...claims.map(({ metadata }) => metadata.name)]);
    this.#of.set(pool, { specs, at: now, since, open, hasFailed: false });
  }

  /** Looks which of the claims that were created are launched by now, and which are gone. */
  follow(pool: string, claims: readonly NodeClaim[]): void {
    const before = this.#of.get(pool);
    if (before === undefined) return;
    const staying = claims.filter(({ metadata }) => before.open.has(metadata.name) && !metadata.deletionTimestamp);
    const waiting = staying.filter(({ status }) => (status?.providerID ?? '') === '');
    const open = new Set(waiting.map(({ metadata }) => metadata.name));
    this.#of.set(pool, { ...before, open, hasFailed: before.hasFailed || staying.length < before.open.size });
  }

  forget(pool: string): void {
    this.#of.delete(pool);
  }

  /** Until when no claim is created because the last ones were not launched; `undefined` when one may be. */
  restsUntil(pool: string, specs: string, now: Instant): Instant | undefined {
    const last = this.#of.get(pool);
    if (last === undefined || last.specs !== specs || !last.hasFailed) return undefined;
    const restMs = Math.min(longestRestMs, Math.max(shortestRestMs, last.at - last.since));
    const until = instant(last.at + restMs);
    return now < until ? until : undefined;
  }
}
