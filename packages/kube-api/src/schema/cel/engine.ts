import { oncePerPair } from '@nodewright/apis';
import { Environment, Optional, ParseError } from '@marcbachmann/cel-js';
import type { JsonValue } from '../json.ts';
import type { ValueSchema, CelRule } from '../structural.ts';
import { CostMeter, costExceededText } from './cost-meter.ts';
import { failureText } from './failure.ts';
import { registerLibrary, replacedCalls } from './library.ts';
import { meterNodes } from './metered-nodes.ts';
import { renameCalls } from './rewrite.ts';
import { toCel } from './values.ts';

/** The values that a rule reads. */
export type RuleInput = {
  readonly self: JsonValue;
  /** The stored value in the same place. */
  readonly oldSelf?: JsonValue;
};

/** The result of an evaluation: a value or an error. */
export type RuleEvaluation = { readonly cost: number } & (
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: string }
  /** It would have cost more than an evaluation may. */
  | { readonly kind: 'tooCostly'; readonly error: string }
);

/** A compiled rule. */
export type CompiledRule = {
  /** Whether the rule reads the stored value. Such a rule does not run without one. */
  readonly isTransition: boolean;
  readonly evaluate: (input: RuleInput) => RuleEvaluation;
  /** The text of `messageExpression`; undefined when there is none or when its result is not a single line of text. */
  readonly message: (input: RuleInput) => string | undefined;
};

/**
 * Compiles CEL rules of a schema. Regular expressions run in linear time, integers have 64 bits, and an evaluation
 * ends at the cost limit of Kubernetes.
 */
export class CelEngine {
  #environment: Environment | undefined;
  readonly #meter = new CostMeter();

  /** @throws SyntaxError for text that is no expression */
  readonly compile = oncePerPair((rule: CelRule, schema: ValueSchema): CompiledRule => this.#compile(rule, schema));

  #compile(rule: CelRule, schema: ValueSchema): CompiledRule {
    const evaluate = this.#program(rule.rule, rule, schema);
    const messageProgram =
      rule.messageExpression === undefined ? undefined : this.#program(rule.messageExpression, rule, schema);
    return {
      isTransition: readsOld(rule.rule),
      evaluate,
      message: (input) => singleLine(messageProgram?.(input)),
    };
  }

  #program(text: string, rule: CelRule, schema: ValueSchema): (input: RuleInput) => RuleEvaluation {
    const program = this.#parse(renameCalls(text, replacedCalls));
    const comparesVersions = readsOld(text);
    return ({ self, oldSelf }) => {
      const old = oldSelf === undefined || !comparesVersions ? undefined : toCel(schema, oldSelf);
      const variables = { self: toCel(schema, self), oldSelf: rule.optionalOldSelf === true ? Optional.of(old) : old };
      return this.#measured(() => program(variables));
    };
  }

  /** An expression may catch the error that ends it, so the meter decides the result. */
  #measured(run: () => unknown): RuleEvaluation {
    const meter = this.#meter;
    meter.start();
    try {
      const value = run();
      if (!meter.isExceeded) return { kind: 'value', value, cost: meter.cost };
    } catch (error) {
      if (!meter.isExceeded) return { kind: 'failed', error: failureText(error) ?? rethrown(error), cost: meter.cost };
    }
    return { kind: 'tooCostly', error: costExceededText, cost: meter.cost };
  }

  #parse(text: string): (variables: Record<string, unknown>) => unknown {
    this.#environment ??= newEnvironment();
    try {
      const program = this.#environment.parse(text);
      meterNodes(program.ast, this.#meter);
      return program;
    } catch (error) {
      if (error instanceof ParseError) throw new SyntaxError(error.summary, { cause: error });
      throw error;
    }
  }
}

const readsOld = (text: string): boolean => /\boldSelf\b/.test(text);

/** Whether the result or the message of a rule depends on the stored value. */
export const comparesWithStored = ({ rule, messageExpression = '', optionalOldSelf }: CelRule): boolean =>
  optionalOldSelf === true || readsOld(rule) || readsOld(messageExpression);

const newEnvironment = (): Environment =>
  registerLibrary(
    new Environment({
      enableOptionalTypes: true,
      homogeneousAggregateLiterals: false,
      limits: { maxAstNodes: 100_000, maxListElements: 10_000, maxMapEntries: 10_000 },
    })
      .registerVariable('self', 'dyn')
      .registerVariable('oldSelf', 'dyn'),
  );

function singleLine(evaluation: RuleEvaluation | undefined): string | undefined {
  if (evaluation?.kind !== 'value' || typeof evaluation.value !== 'string') return undefined;
  const text = evaluation.value.trim();
  return text === '' || text.includes('\n') ? undefined : text;
}

function rethrown(error: unknown): never {
  throw error;
}
