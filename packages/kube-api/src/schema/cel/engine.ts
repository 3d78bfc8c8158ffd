import { oncePerPair } from '@nodewright/apis';
import { Optional } from '@marcbachmann/cel-js';
import type { JsonValue } from '../json.ts';
import type { ValueSchema, CelRule } from '../structural.ts';
import { CelPrograms, type RuleEvaluation } from './programs.ts';
import { toCel } from './values.ts';

/** The values that a rule reads. */
export type RuleInput = {
  readonly self: JsonValue;
  /** The stored value in the same place. */
  readonly oldSelf?: JsonValue;
};

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
  readonly #programs = new CelPrograms({ variables: ['self', 'oldSelf'] });

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
    const program = this.#programs.compile(text);
    const comparesVersions = readsOld(text);
    return ({ self, oldSelf }) => {
      const old = oldSelf === undefined || !comparesVersions ? undefined : toCel(schema, oldSelf);
      const variables = { self: toCel(schema, self), oldSelf: rule.optionalOldSelf === true ? Optional.of(old) : old };
      return program(variables);
    };
  }
}

const readsOld = (text: string): boolean => /\boldSelf\b/.test(text);

/** Whether the result or the message of a rule depends on the stored value. */
export const comparesWithStored = ({ rule, messageExpression = '', optionalOldSelf }: CelRule): boolean =>
  optionalOldSelf === true || readsOld(rule) || readsOld(messageExpression);

function singleLine(evaluation: RuleEvaluation | undefined): string | undefined {
  if (evaluation?.kind !== 'value' || typeof evaluation.value !== 'string') return undefined;
  const text = evaluation.value.trim();
  return text === '' || text.includes('\n') ? undefined : text;
}
