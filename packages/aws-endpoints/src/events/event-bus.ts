import { byTextOf, type Instant, toTimestamp } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import { arnOf, type AwsAccount } from '../account.ts';
import type { Queues } from '../sqs/queues.ts';
import type { AwsEvent } from './event.ts';
import { matchesPattern, parsePattern } from './pattern.ts';

export type RuleTarget = {
  readonly id: string;
  readonly arn: string;
  /** What is delivered instead of the event, JSON. */
  readonly input?: string;
};

/** Which events go where. */
export type EventRule = {
  readonly name: string;
  /** JSON. */
  readonly pattern: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly targets: readonly RuleTarget[];
};

type EventBusDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ledger: Ledger;
  readonly queues: Queues;
};

/** The default event bus of the account. Of all targets there can be, queues are served. */
export class EventBus {
  readonly #deps: EventBusDeps;
  readonly #rules: Map<string, EventRule>;
  /** Whether there never was a rule. */
  readonly isNew: boolean;

  constructor(deps: EventBusDeps) {
    this.#deps = deps;
    this.#rules = deps.ledger.map('events/rules');
    const marks = deps.ledger.map<Instant>('events/since');
    this.isNew = marks.size === 0;
    if (this.isNew) marks.set('default', deps.clock.now());
  }

  get arn(): string {
    return arnOf(this.#deps.account, 'events', 'event-bus/default');
  }

  arnOf(rule: string): string {
    return arnOf(this.#deps.account, 'events', `rule/${rule}`);
  }

  /** By name. */
  all(): readonly EventRule[] {
    return [...this.#rules.values()].toSorted(byTextOf(({ name }) => name));
  }

  find(name: string): EventRule | undefined {
    return this.#rules.get(name);
  }

  keep(rule: EventRule): void {
    this.#rules.set(rule.name, rule);
  }

  delete(name: string): void {
    this.#rules.delete(name);
  }

  /** Delivers an event to the targets of every rule that it matches. Gives its id. */
  publish({ source, detailType, resources, detail }: AwsEvent): string {
    const { account, clock, queues } = this.#deps;
    const id = this.#deps.random.uuid();
    const time = toTimestamp(clock.now());
    const place = { account: account.id, time, region: account.region };
    const event = { version: '0', id, 'detail-type': detailType, source, ...place, resources, detail };
    const matching = this.all().filter(
      ({ enabled, pattern }) => enabled && matchesPattern(parsePattern(pattern), event),
    );
    for (const { arn, input } of matching.flatMap(({ targets }) => targets)) {
      queues.deliver(arn, input ?? JSON.stringify(event));
    }
    return id;
  }
}
