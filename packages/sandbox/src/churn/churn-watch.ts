import { minutes } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { ObjectWrite } from '@nodewright/kube-api';
import type { Churn } from './churn.ts';
import { OwnedObjects } from './owned-objects.ts';
import { RewrittenObjects } from './rewritten-objects.ts';

export type ChurnWatchOptions = {
  readonly clock: Clock;
  readonly report: (message: string, fields: Churn['fields']) => void;
};

/** In this time writes are counted together. */
const churnSpanMs = minutes(5);

/**
 * Looks at every write to the API server, and names what never ends: objects of one owner that are created and deleted
 * again and again, and one object that a client writes again and again. What goes on is named again after pauses that
 * double.
 */
export class ChurnWatch {
  readonly #options: ChurnWatchOptions;
  readonly #owned = new OwnedObjects();
  readonly #rewritten = new RewrittenObjects();
  readonly #told = new Map<string, { readonly times: number; readonly quietUntil: number }>();
  #until = 0;

  constructor(options: ChurnWatchOptions) {
    this.#options = options;
  }

  see(write: ObjectWrite): void {
    const now = this.#options.clock.now();
    if (now >= this.#until) this.#beginSpan(now);
    const churn = write.type === 'MODIFIED' ? this.#rewritten.count(write) : this.#owned.count(write);
    if (churn !== undefined) this.#tell(churn, now);
  }

  #beginSpan(now: number): void {
    this.#until = now + churnSpanMs;
    this.#owned.beginSpan();
    this.#rewritten.beginSpan();
  }

  #tell({ message, fields }: Churn, now: number): void {
    const { times, quietUntil } = this.#told.get(message) ?? { times: 0, quietUntil: now };
    if (now < quietUntil) return;
    this.#told.set(message, { times: times + 1, quietUntil: now + churnSpanMs * 2 ** times });
    this.#options.report(message, { ...fields, withinSeconds: Math.ceil((now - this.#until + churnSpanMs) / 1000) });
  }
}
