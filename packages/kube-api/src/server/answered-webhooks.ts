import { type Instant, oncePerObject } from '@nodewright/apis';
import type { Clock, Random } from '@nodewright/runtime';
import { type CallWebhook, PendingWebhooks, WebhookAnswers, type WebhookRequest } from '../admission/webhook-calls.ts';
import { hasWebhooks } from '../admission/webhooks/webhook-objects.ts';
import { askConversions } from '../conversion/asked-conversion.ts';
import { StatusError } from '../http/status-error.ts';
import { changeResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ServerContext } from './world.ts';

/** More rounds than webhooks have answers to give; other writers may make them answer anew. */
const mostRounds = 100;

/**
 * Runs a verb in one transaction. A verb that needs answers of webhooks runs again when they are there, with the same names,
 * UIDs and time, until it has all of them.
 * @returns a promise only when there are webhooks
 * @throws StatusError when other writers change the object again and again
 */
export function runWithWebhooks<T>(
  world: ServerContext,
  work: (world: ServerContext) => T,
  call: CallWebhook | undefined,
): T | Promise<T> {
  if (call === undefined || !(hasWebhooks(world) || world.registry.hasConversions))
    return world.store.transact(() => work(world));
  return runInRounds(world, work, call);
}

async function runInRounds<T>(world: ServerContext, work: (world: ServerContext) => T, call: CallWebhook): Promise<T> {
  const answers = new WebhookAnswers();
  const asking = oncePerObject((resource: Resource) => askConversions(resource, world.store, { answers, call }));
  const registry = changeResources(world.registry, asking);
  const uids = new RepeatedDraws(world.uids);
  const names = new RepeatedDraws(world.names);
  const clock = new HeldClock(world.clock);
  for (let round = 0; round < mostRounds; round += 1) {
    const repeated = { ...world, registry, uids: uids.again(), names: names.again(), clock, webhooks: answers };
    const pending = attempt(() => world.store.transact(() => work(repeated)));
    if (pending.kind === 'done') {
      clock.release();
      return pending.value;
    }
    const keepAnswer = async (request: WebhookRequest): Promise<void> => answers.keep(request, await call(request));
    await Promise.all(pending.requests.map(keepAnswer));
  }
  throw new StatusError(504, 'the object changed again and again while webhooks were asked about it', {
    reason: 'Timeout',
  });
}

type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'pending'; readonly requests: readonly WebhookRequest[] };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { kind: 'done', value: work() };
  } catch (error) {
    if (error instanceof PendingWebhooks) return { kind: 'pending', requests: error.requests };
    throw error;
  }
}

/** Draws that are the same in every round. */
class RepeatedDraws {
  readonly #random: Random;
  readonly #drawn: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** The source for the next round. */
  again(): Random {
    let index = 0;
    const draw = (fresh: () => string): string => {
      const value = (this.#drawn[index] ??= fresh());
      index += 1;
      return value;
    };
    const random = this.#random;
    return {
      next: () => random.next(),
      integer: (below) => random.integer(below),
      pick: (from) => random.pick(from),
      hex: (length) => draw(() => random.hex(length)),
      uuid: () => draw(() => random.uuid()),
      nameSuffix: (length) => draw(() => random.nameSuffix(length)),
      fork: (name) => random.fork(name),
    };
  }
}

/** The cluster's clock, whose time stands still until the request is served. */
class HeldClock implements Clock {
  readonly #clock: Clock;
  #held: Instant | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#held = clock.now();
  }

  now(): Instant {
    return this.#held ?? this.#clock.now();
  }

  at(...timer: Parameters<Clock['at']>): ReturnType<Clock['at']> {
    return this.#clock.at(...timer);
  }

  sleep(...pause: Parameters<Clock['sleep']>): ReturnType<Clock['sleep']> {
    return this.#clock.sleep(...pause);
  }

  release(): void {
    this.#held = undefined;
  }
}
