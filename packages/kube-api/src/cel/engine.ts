import { Environment, Optional, ParseError } from '@marcbachmann/cel-js';
import type { Json } from '../schema/json.ts';
import type { StructuralSchema, ValidationRule } from '../schema/structural.ts';
import { CostMeter, costExceededText } from './cost-meter.ts';
import { failureText } from './failure.ts';
import { registerLibrary, replacedCalls } from './library.ts';
import { meterNodes } from './metered-nodes.ts';
import { renameCalls } from './rewrite.ts';
import { toCel } from './values.ts';

/** What a rule is evaluated on. */
export type RuleInput = {
  readonly self: Json;
  /** The value that the stored object has in the same place. */
  readonly oldSelf?: Json;
};

/** How an evaluation ended: a value, or the reason why there is none. */
export type Evaluation = { readonly cost: number } & (
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: string }
  /** It would have cost more than an evaluation may. */
  | { readonly kind: 'tooCostly'; readonly error: string }
);

/** A rule, ready to be evaluated as often as needed. */
export type CompiledRule = {
  /** Whether the rule compares with the stored value: then it does not run where there is none. */
  readonly isTransition: boolean;
  readonly evaluate: (input: RuleInput) => Evaluation;
  /** The text of `messageExpression`; undefined when there is none or it yields no single line of text. */
  readonly message: (input: RuleInput) => string | undefined;
};

/**
 * Compiles CEL rules of a schema. Regular expressions run in linear time, integers are 64 bits, and an evaluation ends
 * when it has cost as much as Kubernetes lets one cost.
 */
export class CelEngine {
  #environment: Environment | undefined;
  readonly #meter = new CostMeter();
  readonly #compiled = new WeakMap<ValidationRule, CompiledRule>();

  /** @throws SyntaxError for text that is no expression */
  compile(rule: ValidationRule, schema: StructuralSchema): CompiledRule {
    const known = this.#compiled.get(rule);
    if (known !== undefined) return known;
    const compiled = this.#compile(rule, schema);
    this.#compiled.set(rule, compiled);
    return compiled;
  }

  #compile(rule: ValidationRule, schema: StructuralSchema): CompiledRule {
    const evaluate = this.#program(rule.rule, rule, schema);
    const messageProgram =
      rule.messageExpression === undefined ? undefined : this.#program(rule.messageExpression, rule, schema);
    return {
      isTransition: readsOld(rule.rule),
      evaluate,
      message: (input) => lineOf(messageProgram?.(input)),
    };
  }

  #program(text: string, rule: ValidationRule, schema: StructuralSchema): (input: RuleInput) => Evaluation {
    const program = this.#parse(renameCalls(text, replacedCalls));
    const comparesVersions = readsOld(text);
    return ({ self, oldSelf }) => {
      const old = oldSelf === undefined || !comparesVersions ? undefined : toCel(schema, oldSelf);
      const variables = { self: toCel(schema, self), oldSelf: rule.optionalOldSelf === true ? Optional.of(old) : old };
      return this.#measured(() => program(variables));
    };
  }

  /** An expression may swallow the error that ends it, so the meter has the last word. */
  #measured(run: () => unknown): Evaluation {
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

/** Whether what a rule says depends on the stored value too. */
export const comparesWithStored = ({ rule, messageExpression = '', optionalOldSelf }: ValidationRule): boolean =>
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

function lineOf(evaluation: Evaluation | undefined): string | undefined {
  if (evaluation?.kind !== 'value' || typeof evaluation.value !== 'string') return undefined;
  const text = evaluation.value.trim();
  return text === '' || text.includes('\n') ? undefined : text;
}

function rethrown(error: unknown): never {
  throw error;
}
