import {
  apiVersionOf,
  type Event,
  events,
  hours,
  type Instant,
  type KubernetesObject,
  minutes,
  type ResourceType,
  seconds,
  toTimestamp,
} from '@nodewright/apis';
import type { Clock } from '../clock.ts';
import { Fifo } from '../queues/fifo.ts';
import { tokenGate, type BucketOptions } from '../queues/rate-limit.ts';
import { ApiError, type KubernetesClient, type ObjectKey } from '../kubernetes-client.ts';
import type { Random } from '../random.ts';
import type { Logger } from './logger.ts';
import { RecentKeys } from './recent-keys.ts';
import { Repetitions } from './repetitions.ts';

/** Something worth telling about an object, as data. */
export type EventReport = {
  readonly kind: ResourceType;
  readonly about: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  /** `FailedScheduling` */
  readonly reason: string;
  readonly message: string;
  /**
   * Reports of equal reason and equal values are one within the window. Without values reports of equal words about
   * one object are, from the eleventh on.
   */
  readonly dedupe?: readonly string[];
  /** How long a report is not repeated; grows up to half an hour while it comes again and again [2 minutes]. */
  readonly windowMs?: number;
  /** How often this reason is told, whatever the object; what comes faster is dropped [as it comes]. */
  readonly rate?: BucketOptions;
};

export interface EventRecorder {
  /** Never fails and never waits; the write happens later. While a thousand wait to be written, what comes is dropped, and counts as not told. */
  publish(report: EventReport): void;
  /** Resolves when what was published before is written. */
  flush(): Promise<void>;
  /** Drops what is not written yet; resolves when nothing of it moves any more. */
  stop(): Promise<void>;
}

export type EventRecorderOptions = {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Who speaks: the event's source [karpenter]. */
  readonly component?: string;
};

const defaultWindowMs = minutes(2);
/** An event that is repeated after this is a new one; the API server forgets events after an hour anyway. */
const countedForMs = hours(1);
/** As many as client-go remembers. */
const mostCounted = 4_096;
/** Of reports that may be repeated: an event of every pod of a large cluster, twice. */
const mostRememberedEvents = 65_536;
/** For reports without dedupe values: what happens so often is no news. */
const countedPolicy = { firstMs: seconds(10), atOnce: 10 };
/** As many as client-go keeps waiting. However many pods have something to tell, memory and the API server are for others, too. */
const mostWaiting = 1_000;

/** @property times how often it came since it was last told, this time included */
type WaitingEvent = { readonly report: EventReport; readonly times: number; readonly at: Instant };

/** An event on the server, and how often what it tells came. */
type WrittenEvent = { readonly key: ObjectKey; readonly count: number };

/** Writes core/v1 Events, one after another. The same words about the same object become a count on one event. */
export const startEventRecorder = (options: EventRecorderOptions): EventRecorder => new ClientEventRecorder(options);

class ClientEventRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #repetitions: Repetitions;
  readonly #written: RecentKeys<WrittenEvent>;
  readonly #waiting = new Fifo<WaitingEvent>();
  readonly #gates = new Map<string, () => boolean>();
  #writing: Promise<void> | undefined;
  #stopped = false;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#repetitions = new Repetitions(options.clock, mostRememberedEvents);
    this.#written = new RecentKeys(options.clock, mostCounted);
  }

  publish(report: EventReport): void {
    if (this.#stopped || this.#isCrowded(report)) return;
    const times = this.#timesToTell(report);
    if (times === 0 || this.#comesTooFast(report)) return;
    this.#waiting.push({ report, times, at: this.#options.clock.now() });
    this.#writing ??= this.#writeAll();
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    await this.#writing;
  }

  #isCrowded({ reason }: EventReport): boolean {
    if (this.#waiting.size < mostWaiting) return false;
    this.#options.log.debug('dropping an event, too many wait to be written', { reason });
    return true;
  }

  #timesToTell(report: EventReport): number {
    const { reason, dedupe, windowMs = defaultWindowMs } = report;
    return dedupe === undefined
      ? this.#repetitions.timesToTell(identityOfEvent(report), countedPolicy)
      : this.#repetitions.timesToTell([reason.toLowerCase(), ...dedupe].join('/'), { firstMs: windowMs });
  }

  #comesTooFast({ reason, rate }: EventReport): boolean {
    if (rate === undefined) return false;
    const gate = this.#gates.get(reason) ?? tokenGate(this.#options.clock, rate);
    this.#gates.set(reason, gate);
    return !gate();
  }

  async #writeAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#write(next);
      } catch (error) {
        // An event is a courtesy: it is not worth a retry, let alone a failed turn.
        this.#options.log.debug('could not write an event', { reason: next.report.reason, error });
      }
    }
    this.#writing = undefined;
  }

  async #write(waiting: WaitingEvent): Promise<void> {
    const key = identityOfEvent(waiting.report);
    const before = this.#written.get(key);
    const event = (before && (await this.#count(before, waiting))) ?? (await this.#create(waiting));
    this.#written.set(key, { key: objectKey(event), count: event.count ?? 1 }, countedForMs);
  }

  /** Nothing when the event has been forgotten by the server. */
  async #count({ key, count }: WrittenEvent, { times, at }: WaitingEvent): Promise<Event | undefined> {
    const patch = { count: count + times, lastTimestamp: toTimestamp(at) };
    try {
      return await this.#options.client.patch(events, key, { type: 'merge', patch });
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  #create({ report: { kind, about, type, reason, message }, at }: WaitingEvent): Promise<Event> {
    const { client, random, component = 'karpenter' } = this.#options;
    const { name, uid } = about.metadata;
    const namespace = about.metadata.namespace ?? 'default';
    const involvedObject = {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      name,
      ...(about.metadata.namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
    };
    const when = toTimestamp(at);
    return client.create(events, {
      metadata: { name: `${name}.${random.hex(16)}`, namespace },
      involvedObject,
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: when,
      lastTimestamp: when,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
    });
  }
}

const identityOfEvent = ({ kind, about: { metadata }, type, reason, message }: EventReport): string =>
  JSON.stringify([kind.kind, metadata.namespace, metadata.name, metadata.uid, type, reason, message]);

const objectKey = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey =>
  namespace === undefined ? { name } : { name, namespace };
