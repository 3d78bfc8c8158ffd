import { setMaxListeners } from 'node:events';
import { type Instant, instant } from '@nodewright/apis';
import type { Clock } from '../clock.ts';
import { parseKey } from '../informer/object-key.ts';
import type { LogFields, Logger } from '../observability/logger.ts';
import { retryClassOf } from '../retry-class.ts';
import {
  type BucketOptions,
  exponentialBackoff,
  type RateLimit,
  slowestOf,
  tokenBucket,
} from '../queues/rate-limit.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Result } from './result.ts';
import { Rests } from './rests.ts';
import { type ControllerWatch, noControllerWatch } from './controller-watch.ts';
import { EndlessTurns } from './endless-turns.ts';
import { Gaps } from './gaps.ts';
import { WorkQueue } from '../queues/work-queue.ts';

/**
 * Brings the world one step closer to what one object asks for. The key is `namespace/name` or
 * `name`; every other thing it needs it reads for itself. It is called again whenever something
 * may have changed, never twice at a time for one key.
 */
export type Reconciler = (key: string, signal: AbortSignal) => Promise<Result>;

/** As a reconciler, with the log of the one turn. */
export type LoggingReconciler = (key: string, signal: AbortSignal, log: Logger) => Promise<Result>;

export type ControllerOptions = {
  /** `nodeclaim.lifecycle`: in logs and metrics. */
  readonly name: string;
  readonly reconcile: LoggingReconciler;
  readonly clock: Clock;
  readonly log: Logger;
  /** Fields for every log line of one turn besides controller and key, such as an id of the turn. */
  readonly aboutTurn?: (key: string) => LogFields;
  /** Told of every turn whose fields have an id, `reconcileID` [turns are not traced]. */
  readonly tracer?: Pick<Tracer, 'runTurn'>;
  readonly watch?: ControllerWatch;
  /** Turns at a time, each for another key [1]. */
  readonly workers?: number;
  /** Delays of a key that fails again and again [5 ms to 1,000 s]. */
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  /** Retries of all keys together [10 a second, 100 at once]. */
  readonly bucket?: BucketOptions;
  /** A key that comes again sooner than this after its turn began waits until then: many changes, one turn [0]. */
  readonly gapMs?: number;
};

export interface Controller {
  readonly name: string;
  enqueue(key: string): void;
  /** Leaves a key alone that waits for its turn already, however long it still has to wait, or has it. */
  enqueueNew(key: string): void;
  enqueueAt(key: string, at: Instant): void;
  /** Something changed that polls look at: the key, or every key, that sleeps between its polls comes at the next of them. */
  stir(key?: string): void;
  /** Tells running turns through their signal, starts no other, and resolves when the last has ended. */
  stop(): Promise<void>;
}

/** Starts at once; there is nothing to do until a key comes. */
export const startController = (options: ControllerOptions): Controller => new RunningController(options);

class RunningController implements Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #watch: ControllerWatch;
  readonly #queue: WorkQueue;
  readonly #limit: RateLimit;
  readonly #stopping = new AbortController();
  readonly #turns = new Set<Promise<void>>();
  readonly #gaps: Gaps;
  readonly #endless: EndlessTurns;
  readonly #rests = new Rests();
  #pumpIsDue = false;

  constructor(options: ControllerOptions) {
    const { name, clock, watch, backoff = defaultBackoff, bucket = defaultBucket } = options;
    this.name = name;
    this.#options = options;
    this.#watch = watch ?? noControllerWatch;
    this.#queue = new WorkQueue(clock, () => this.#pumpSoon(), name, {
      added: () => this.#watch.added(name),
      taken: (waitedMs) => this.#watch.taken(name, waitedMs),
    });
    this.#endless = new EndlessTurns(clock);
    this.#gaps = new Gaps(clock, options.gapMs ?? 0);
    this.#limit = slowestOf(exponentialBackoff(backoff), tokenBucket(clock, bucket));
    // Every call of every turn listens; with many at a time that is no leak.
    setMaxListeners(0, this.#stopping.signal);
  }

  enqueue(key: string): void {
    this.#queue.addAt(key, this.#gaps.endOf(key));
  }

  enqueueNew(key: string): void {
    if (!this.#queue.has(key)) this.enqueue(key);
  }

  enqueueAt(key: string, at: Instant): void {
    this.#queue.addAt(key, at);
  }

  stir(key?: string): void {
    for (const each of key === undefined ? this.#rests.keys() : [key]) {
      const poll = this.#rests.stir(each, this.#options.clock.now());
      if (poll !== undefined) this.#queue.addAt(each, poll);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error(`the controller ${this.name} is stopping`));
    this.#queue.close();
    await Promise.all(this.#turns);
  }

  /** Not at once, because a change handler that adds a key still runs. */
  #pumpSoon(): void {
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    // `queueMicrotask` would make an async resource of each.
    void Promise.resolve().then(() => this.#pump());
  }

  #pump(): void {
    this.#pumpIsDue = false;
    const { workers = 1 } = this.#options;
    while (this.#turns.size < workers) {
      const key = this.#queue.take();
      if (key === undefined) break;
      if (!this.#delaysEndless(key)) this.#begin(key);
    }
    this.#watch.load(this.name, { waiting: this.#queue.depth, running: this.#turns.size, workers });
  }

  /** Whether the key waits instead, because its turns follow each other without time passing. */
  #delaysEndless(key: string): boolean {
    const endless = this.#endless.begin(key);
    if (endless === undefined) return false;
    const { pauseMs, isNew } = endless;
    if (isNew) {
      const log = this.#options.log.with(() => ({ controller: this.name, ...(key !== '' && parseKey(key)) }));
      log.error('reconciling without end while no time passes, waiting', { pauseMs });
    }
    this.#queue.done(key);
    this.#addAfter(key, pauseMs);
    return true;
  }

  #begin(key: string): void {
    this.#gaps.begin(key);
    this.#rests.beginTurn(key, this.#options.clock.now());
    const turn = this.#turn(key).finally(() => {
      this.#turns.delete(turn);
      this.#queue.done(key);
      this.#pumpSoon();
    });
    this.#turns.add(turn);
  }

  /** The only catch: an error of a turn is logged and counted here, and the key is tried again. */
  async #turn(key: string): Promise<void> {
    const { clock, aboutTurn, tracer } = this.#options;
    const startedAt = clock.now();
    // Only a traced turn needs its id before it logs something.
    const about = tracer && aboutTurn?.(key);
    const log = this.#options.log.with(() => ({
      controller: this.name,
      ...(key !== '' && parseKey(key)),
      ...(about ?? aboutTurn?.(key)),
    }));
    try {
      const result = await this.#reconcile(key, log, about?.['reconcileID']);
      this.#watch.turn(this.name, { outcome: result.kind, durationMs: clock.now() - startedAt });
      this.#schedule(key, result);
    } catch (error) {
      this.#pollOn(key);
      if (this.#stopping.signal.aborted) return;
      const isTerminal = retryClassOf(error) === 'afterSpecChange';
      this.#watch.turn(this.name, { outcome: 'error', durationMs: clock.now() - startedAt, isTerminal });
      this.#fail(key, error, log);
    }
  }

  #reconcile(key: string, log: Logger, id: unknown): Promise<Result> {
    const { reconcile, tracer } = this.#options;
    const run = (): Promise<Result> => reconcile(key, this.#stopping.signal, log);
    if (tracer === undefined || typeof id !== 'string') return run();
    return tracer.runTurn(
      id,
      { name: this.name, fields: { controller: this.name, ...(key !== '' && parseKey(key)) } },
      run,
    );
  }

  #schedule(key: string, result: Result): void {
    if (result.kind === 'rest') {
      this.#limit.forget(key);
      const wakesAt = this.#rests.sleep(key, result, this.#options.clock.now());
      if (wakesAt !== undefined) this.#queue.addAt(key, wakesAt);
      return;
    }
    this.#pollOn(key);
    if (result.kind === 'backOff') {
      this.#retry(key);
      return;
    }
    this.#limit.forget(key);
    if (result.kind === 'recheckAt') this.#queue.addAt(key, result.at);
    if (result.kind === 'requeueAfter') this.#addAfter(key, result.ms);
  }

  /** A turn between two polls does not take the place of the next one. */
  #pollOn(key: string): void {
    const poll = this.#rests.endTurn(key);
    if (poll !== undefined) this.#queue.addAt(key, poll);
  }

  #fail(key: string, error: unknown, log: Logger): void {
    const fields = { error };
    switch (retryClassOf(error)) {
      case 'soon':
        log.debug('reconciling again, the object has changed meanwhile', fields);
        this.#retry(key);
        return;
      case 'backOff':
        log.error('Reconciler error', fields);
        this.#retry(key);
        return;
      case 'afterSpecChange':
        log.error('Reconciler error, waiting for a change', fields);
        this.#limit.forget(key);
    }
  }

  #retry(key: string): void {
    this.#watch.retry(this.name);
    this.#addAfter(key, this.#limit.delayMs(key));
  }

  #addAfter(key: string, ms: number): void {
    this.#queue.addAt(key, instant(this.#options.clock.now() + Math.ceil(ms)));
  }
}

const defaultBackoff = { baseMs: 5, maxMs: 1_000_000 };
const defaultBucket: BucketOptions = { perSecond: 10, burst: 100 };
