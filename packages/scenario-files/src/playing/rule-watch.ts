import { instant, type Instant, type Pod } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { AlwaysRule, NeverRule } from '../reading/scenario-file.ts';
import { isUnschedulablePod } from '../world/fact-cache.ts';
import { collectionNames } from '../world/observed-cluster.ts';
import type { TestedWorld } from '../world/tested-world.ts';
import { ConditionWatch } from './condition-watch.ts';

/** A rule that does not hold any more. */
export type BrokenRule =
  | { readonly kind: 'always'; readonly rule: AlwaysRule }
  | { readonly kind: 'never'; readonly rule: NeverRule; readonly since: Instant; readonly about: string };

type WatchedAlways = { readonly rule: AlwaysRule; readonly watch: ConditionWatch };
type WatchedNever = {
  readonly rule: NeverRule;
  readonly watch: ConditionWatch;
  /** Since when it is so, and of which pods; the oldest first. */
  readonly since: Map<string, Instant>;
  /** The evaluation of the condition that `since` follows. */
  evaluation: number;
};

/** The rules of a scenario, looked at after every change of the world. */
export class RuleWatch {
  readonly #world: TestedWorld;
  readonly #always: readonly WatchedAlways[];
  readonly #never: readonly WatchedNever[];
  #isBegun = false;

  constructor(world: TestedWorld, always: readonly AlwaysRule[], never: readonly NeverRule[]) {
    this.#world = world;
    this.#always = always.map((rule) => ({ rule, watch: new ConditionWatch(rule.condition, world.facts) }));
    this.#never = never.map((rule) => ({
      rule,
      watch: new ConditionWatch(rule.condition, world.facts),
      since: new Map(),
      evaluation: 0,
    }));
  }

  /** From now on the rules hold. */
  begin(): void {
    this.#isBegun = true;
  }

  /** The first rule that does not hold now. */
  findBroken(): BrokenRule | undefined {
    if (!this.#isBegun) return undefined;
    const now = this.#world.time.clock.now();
    for (const { rule, watch } of this.#always) if (!watch.holds(now)) return { kind: 'always', rule };
    for (const watched of this.#never) {
      const broken = this.#brokenNever(watched, now);
      if (broken !== undefined) return broken;
    }
    return undefined;
  }

  #brokenNever(watched: WatchedNever, now: Instant): BrokenRule | undefined {
    const { rule, watch, since } = watched;
    const holds = watch.holds(now);
    if (watch.evaluations !== watched.evaluation) {
      watched.evaluation = watch.evaluations;
      this.#followSpells(watched, holds ? this.#subjects(rule) : []);
    }
    const [oldest] = since;
    if (oldest === undefined) return undefined;
    const [about, begun] = oldest;
    return now - begun >= rule.forMs ? { kind: 'never', rule, since: begun, about } : undefined;
  }

  #followSpells({ rule, since }: WatchedNever, subjects: readonly string[]): void {
    const about = new Set(subjects);
    for (const key of since.keys()) if (!about.has(key)) since.delete(key);
    for (const key of about) if (!since.has(key)) this.#beginSpell(since, key, rule);
  }

  /** Time has to stop when the spell is too long. */
  #beginSpell(since: Map<string, Instant>, key: string, { forMs }: NeverRule): void {
    const { clock }: { readonly clock: Clock } = this.#world.time;
    since.set(key, clock.now());
    if (forMs > 0) clock.at(instant(clock.now() + forMs), () => undefined);
  }

  #subjects({ isPerPod }: NeverRule): readonly string[] {
    if (!isPerPod) return [''];
    const pods = this.#world.cluster.list<Pod>(collectionNames.pods).filter(isUnschedulablePod);
    return pods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
  }
}
