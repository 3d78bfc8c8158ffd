import { formatDuration, type Instant, instant, minutes, seconds, toTimestamp } from '@nodewright/apis';
import { AwsError } from '@nodewright/aws-endpoints';
import { type Ledger, seededRandom } from '@nodewright/runtime';
import type { CompiledCondition, ExpressionOutcome } from '../expressions/compile-expression.ts';
import { explainCondition } from '../expressions/explain-value.ts';
import type { PreparedScenario } from '../manifests/prepare-scenario.ts';
import type { ScenarioFileStep } from '../reading/scenario-file.ts';
import { type FilePlace, ScenarioFileError } from '../reading/source-text.ts';
import { createManagedGroup } from '../world/managed-groups.ts';
import { createTestedWorld, type TestedWorld } from '../world/tested-world.ts';
import type { WorldHost } from '../world/world-host.ts';
import { applyObjects, RefusedObjectError } from './apply-objects.ts';
import { ConditionWatch } from './condition-watch.ts';
import { performScenarioStep, StepError, type StepScene } from './perform-step.ts';
import { type BrokenRule, RuleWatch } from './rule-watch.ts';
import type { ScenarioFailure, ScenarioResult } from './scenario-result.ts';

export type PlayScenarioOptions = {
  readonly seed: number;
  readonly log?: (line: string) => void;
  /** Whether steps that cannot be done, as the world is, are passed over [they fail]. */
  readonly passesOver?: boolean;
  /** Where the world is kept [nowhere]. */
  readonly ledger?: (now: () => Instant) => Ledger;
  /** Where the world is played [in this process, on virtual time]. */
  readonly host?: WorldHost;
  /** Looks at the world as it is at the end, or at the first failure. */
  readonly atEnd?: (world: TestedWorld) => void;
};

/**
 * Plays a scenario once. The same scenario and seed end the same way, to the byte.
 * @throws ScenarioFileError when the cluster refuses what is given
 */
export async function playScenario(prepared: PreparedScenario, options: PlayScenarioOptions): Promise<ScenarioResult> {
  const { scenario, snapshot } = prepared;
  const { ledger } = options;
  if (snapshot !== undefined && (ledger !== undefined || options.host !== undefined)) refuseSnapshot(scenario);
  const world = await createTestedWorld({
    cluster: scenario.cluster,
    seed: options.seed,
    clusterName: prepared.clusterName,
    manifests: [...prepared.given.objects, ...[...prepared.applied.values()].flat()].map(({ object }) => object),
    ...(snapshot && { snapshot }),
    ...(ledger && { ledger }),
    ...(options.log && { log: options.log }),
    ...(options.host && { host: options.host }),
  });
  const player = new ScenarioPlayer(world, prepared, options);
  try {
    const failure = await player.play();
    options.atEnd?.(world);
    return {
      name: scenario.name,
      case: prepared.case.name,
      file: scenario.file,
      seed: options.seed,
      startedAt: world.settings.start,
      endedAt: world.time.clock.now(),
      ...(failure && { failure }),
      remarks: [...prepared.remarks, ...player.remarks, ...world.podLabels.listUnused()],
      passedOver: player.passedOver,
    };
  } finally {
    await world.stop();
  }
}

/** A cluster that is restored has no directory and no ports of its own. */
function refuseSnapshot({ file, cluster }: PreparedScenario['scenario']): never {
  const place = cluster.snapshot?.place ?? { file, line: 1, column: 1 };
  throw new ScenarioFileError([{ place, message: 'the cluster of a snapshot is not kept, and not played over ports' }]);
}

/** How far back a failure tells what happened, and how much of it at most. */
const toldBeforeMs = minutes(10);
const mostTold = 20;
const leastTold = 5;

/** The workloads of manifests have their pods after a moment. Before, every condition on all pods holds. */
const untilPodsMs = seconds(2);

/** Steps after which workloads may have other pods in a moment. */
const workloadSteps: ReadonlySet<string> = new Set(['apply', 'scale', 'patch', 'delete']);

/** One play: the steps one after the other, the rules after every change. */
class ScenarioPlayer {
  readonly remarks: string[] = [];
  readonly passedOver: number[] = [];
  readonly #world: TestedWorld;
  readonly #prepared: PreparedScenario;
  readonly #rules: RuleWatch;
  readonly #scene: StepScene;
  readonly #passesOver: boolean;

  constructor(world: TestedWorld, prepared: PreparedScenario, { seed, passesOver = false }: PlayScenarioOptions) {
    this.#passesOver = passesOver;
    this.#world = world;
    this.#prepared = prepared;
    const { scenario, case: played } = prepared;
    this.#rules = new RuleWatch(world, [...scenario.always, ...played.always], [...scenario.never, ...played.never]);
    this.#scene = {
      world,
      prepared,
      random: seededRandom(`steps ${seed}`),
      remark: (line) => {
        if (!this.remarks.includes(line)) this.remarks.push(line);
      },
      passUntil: (holds, withinMs) => this.#passUntil(holds, instant(world.time.clock.now() + withinMs)),
    };
  }

  async play(): Promise<ScenarioFailure | undefined> {
    await this.#begin();
    try {
      return await this.#playSteps();
    } catch (error) {
      if (error instanceof RuleError) return this.#failureOfRule(error.broken);
      throw error;
    }
  }

  /** The controller runs before the manifests come, as in a cluster. */
  async #begin(): Promise<void> {
    const { world } = this.#scene;
    await world.time.finish(world.controller.start());
    try {
      for (const group of this.#prepared.scenario.cluster.nodeGroups ?? []) createManagedGroup(world.sandbox, group);
      await applyObjects(world, this.#prepared.given.objects, this.#scene.remark);
    } catch (error) {
      if (!(error instanceof RefusedObjectError || error instanceof AwsError)) throw error;
      const { scenario } = this.#prepared;
      const place = scenario.given[0]?.place ?? { file: scenario.file, line: 1, column: 1 };
      throw new ScenarioFileError([{ place, message: error.message }]);
    }
    await world.time.run(instant(this.#now() + untilPodsMs));
  }

  async #playSteps(): Promise<ScenarioFailure | undefined> {
    const { steps } = this.#prepared;
    if (steps[0]?.do !== 'waitUntil') this.#rules.begin();
    for (const step of steps) {
      this.#world.timeline.add({ by: 'scenario', what: step.do, text: step.text });
      const failure = await this.#playStep(step);
      if (failure !== undefined) return failure;
      this.#rules.begin();
      await this.#passUntil(() => true, this.#now());
    }
    return undefined;
  }

  async #playStep(step: ScenarioFileStep): Promise<ScenarioFailure | undefined> {
    switch (step.do) {
      case 'advance':
        await this.#passUntil(() => false, instant(this.#now() + step.ms));
        return undefined;
      case 'expect':
        await this.#passUntil(() => true, this.#now());
        return this.#expect(step);
      case 'waitUntil':
        return this.#waitUntil(step);
      default:
        return this.#perform(step);
    }
  }

  #expect(step: Extract<ScenarioFileStep, { do: 'expect' }>): ScenarioFailure | undefined {
    const outcome = step.condition.evaluate(this.#world.facts.read);
    if (outcome.kind === 'value' && outcome.value === true) return undefined;
    return this.#failure({ kind: 'expect', ...step, message: describeOutcome(outcome) });
  }

  async #waitUntil(step: Extract<ScenarioFileStep, { do: 'waitUntil' }>): Promise<ScenarioFailure | undefined> {
    const watch = new ConditionWatch(step.condition, this.#world.facts);
    const cameTrue = await this.#passUntil(() => watch.holds(this.#now()), instant(this.#now() + step.withinMs));
    if (cameTrue) return undefined;
    const message = `did not come true within ${shortDuration(step.withinMs)}`;
    return this.#failure({ kind: 'waitUntil', ...step, message });
  }

  async #perform(step: Parameters<typeof performScenarioStep>[0]): Promise<ScenarioFailure | undefined> {
    try {
      await performScenarioStep(step, this.#scene);
      if (workloadSteps.has(step.do)) await this.#passUntil(() => false, instant(this.#now() + untilPodsMs));
      return undefined;
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      if (this.#passesOver) {
        this.passedOver.push(this.#prepared.steps.indexOf(step));
        return undefined;
      }
      return this.#failure({ kind: 'step', place: step.place, message: error.message, written: step.text });
    }
  }

  /**
   * Lets time pass until `end`, or until something is so.
   * @returns whether it came true
   * @throws RuleError at the first instant at which a rule does not hold
   */
  async #passUntil(holds: () => boolean, end: Instant): Promise<boolean> {
    const { time } = this.#world;
    let broken: BrokenRule | undefined;
    const stops = (): boolean => {
      broken = this.#rules.findBroken();
      return broken !== undefined || holds();
    };
    const stopped = await time.runUntil(stops, { before: end });
    if (broken !== undefined) throw new RuleError(broken);
    if (!stopped) await time.run(end);
    return stopped;
  }

  #failureOfRule(broken: BrokenRule): ScenarioFailure {
    const { rule } = broken;
    if (broken.kind === 'always') {
      const outcome = broken.rule.condition.evaluate(this.#world.facts.read);
      const message =
        outcome.kind === 'failed'
          ? describeOutcome(outcome)
          : 'does not always hold: it is false here for the first time';
      return this.#failure({ kind: 'always', ...broken.rule, place: rule.condition.place, message });
    }
    const { text, place, condition } = broken.rule;
    const about = broken.about === '' ? 'it is so' : `pod ${broken.about} is`;
    const message = `must never be: ${about} since ${toTimestamp(broken.since)}`;
    return this.#failure({ kind: 'never', place, condition, message, written: text });
  }

  #failure(failed: FailedPart): ScenarioFailure {
    const { kind, place, message, condition, because, written } = failed;
    const now = this.#now();
    return {
      kind,
      place: condition?.place ?? place,
      text: written ?? condition?.text ?? '',
      message,
      at: now,
      values: condition === undefined ? [] : explainCondition(condition, this.#world.facts.read),
      before: this.#world.timeline.latest(instant(now - toldBeforeMs), leastTold).slice(-mostTold),
      ...(because !== undefined && { because }),
    };
  }

  #now(): Instant {
    return this.#world.time.clock.now();
  }
}

type FailedPart = {
  readonly kind: ScenarioFailure['kind'];
  readonly place: FilePlace;
  readonly message: string;
  readonly condition?: CompiledCondition & { readonly place: FilePlace };
  readonly because?: string;
  /** As it is written, where that is not the condition. */
  readonly written?: string;
};

/** A rule that does not hold ends the play, wherever it is. */
class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly broken: BrokenRule;

  constructor(broken: BrokenRule) {
    super('a rule does not hold');
    this.broken = broken;
  }
}

const describeOutcome = (outcome: ExpressionOutcome): string =>
  outcome.kind === 'failed' ? `cannot be computed: ${outcome.error}` : 'is false';

const shortDuration = (ms: number): string =>
  formatDuration(ms)
    .replace(/(?<=[hm])0s$/, '')
    .replace(/(?<=h)0m$/, '');
