import { type Environment, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { isAge, parseAge } from '@nodewright/apis';
import { nearestKey } from '@nodewright/requirements';
import { createExpressionEnvironment } from './expression-environment.ts';
import { type FactName, factLists, factTables, factValues } from './fact-tables.ts';

/** What an expression reads: every list and value by its name. Only those that are read are looked at. */
export type FactSource = (name: FactName) => unknown;

export type ExpressionOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  /** It cannot be computed, for instance because a list is empty. */
  | { readonly kind: 'failed'; readonly error: string };

export type CompiledCondition = {
  readonly text: string;
  /** The lists and values that it reads. */
  readonly reads: readonly FactName[];
  /** Whether its value changes with time alone. */
  readonly dependsOnTime: boolean;
  readonly evaluate: (facts: FactSource) => ExpressionOutcome;
  /** The parsed form, for those who explain its value. */
  readonly parsed: ParseResult;
};

/** Why a text is no expression: where in it, and what would be right. */
export type ExpressionComplaint = { readonly at: number; readonly message: string };

/** A text that is not an expression of the wanted type. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly complaint: ExpressionComplaint;

  constructor(complaint: ExpressionComplaint) {
    super(complaint.message);
    this.complaint = complaint;
  }
}

let sharedEnvironment: Environment | undefined;

/** The environment knows no scenario, and making one takes longer than most expressions. */
export const expressionEnvironment = (): Environment => (sharedEnvironment ??= createExpressionEnvironment());

/**
 * Compiles an expression that is true or false.
 * @throws ExpressionError with the place in the text
 */
export function compileCondition(text: string): CompiledCondition {
  const compiled = compileChecked(text);
  const { type } = compiled.parsed.check();
  if (type !== 'bool' && type !== 'dyn')
    refuseExpression(
      0,
      `is ${describeType(type)}; write a condition, something that is true or false${hintFor(text, type)}`,
    );
  return compiled;
}

function compileChecked(text: string): CompiledCondition {
  const checked = expressionEnvironment().check(text);
  if (!checked.valid) refuseExpression(checked.error?.range?.start ?? 0, explainRefusal(checked.error, text));
  refuseDays(text);
  refuseMembership(text);
  const parsed = expressionEnvironment().parse(text);
  const reads = identifiersIn(text).filter(isFactName);
  return {
    text,
    reads,
    dependsOnTime: reads.includes('now') || /\.age\b/.test(text),
    evaluate: (facts) => evaluateWith(parsed, reads, facts),
    parsed,
  };
}

function evaluateWith(parsed: ParseResult, reads: readonly FactName[], facts: FactSource): ExpressionOutcome {
  try {
    return { kind: 'value', value: parsed(Object.fromEntries(reads.map((name) => [name, facts(name)]))) };
  } catch (error) {
    if (error instanceof EvaluationError) return { kind: 'failed', error: error.summary };
    if (error instanceof RangeError) return { kind: 'failed', error: error.message };
    throw error;
  }
}

const refuseExpression = (at: number, message: string): never => {
  throw new ExpressionError({ at, message });
};

/** CEL knows hours, and people write days. */
function refuseDays(text: string): void {
  for (const found of text.matchAll(/duration\(\s*["']([^"']*)["']/g)) {
    const [, written = ''] = found;
    if (/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(written) || written === '0') continue;
    const remedy = isAge(written) ? `write ${Math.round(parseAge(written) / 36_000) / 100}h` : 'write 30s, 15m or 24h';
    refuseExpression(found.index, `the duration "${written}" has units that CEL lacks; ${remedy}`);
  }
}

/** Absent labels read as empty texts, so that a condition on a label holds for objects without labels, too. */
function refuseMembership(text: string): void {
  const found = /\bin\s+\w+\.(labels|annotations)\b|\bhas\(\s*\w+\.(labels|annotations)\b/.exec(text);
  if (found === null) return;
  const map = /\w+\.(?:labels|annotations)/.exec(found[0])?.[0] ?? 'n.labels';
  refuseExpression(found.index, `a label that is not there is an empty text; write ${map}["NAME"] != ""`);
}

const allNames: readonly string[] = [...factLists, ...Object.keys(factValues)];

const isFactName = (name: string): name is FactName => allNames.includes(name);

/** Identifiers that are no members of something and no texts. */
const identifiersIn = (text: string): readonly string[] => {
  const withoutTexts = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return [...new Set([...withoutTexts.matchAll(/(?<![.\w])[a-zA-Z_]\w*/g)].map(([name]) => name))];
};

type Refusal = { readonly code: string; readonly summary: string; readonly message: string };

function explainRefusal(refusal: Refusal | undefined, text: string): string {
  if (refusal === undefined) return 'is no expression';
  const { code, summary } = refusal;
  const [, name = ''] = /: (\w+)$/.exec(summary) ?? [];
  if (code === 'unknown_variable') return explainUnknownName(name, text);
  if (code === 'no_such_key') return `no field "${name}"; ${nearestOf(name, fieldsReadBy(text))}`;
  return summary.replaceAll(/google\.protobuf\.(Timestamp|Duration)/g, (_all, type: string) => type.toLowerCase());
}

/** What CEL offers for lists under a name for their items. */
const macros: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'map'];

/** A name that stands for the items of a list is unknown where what the list is asked is written wrong. */
function explainUnknownName(name: string, text: string): string {
  const [, asked] = new RegExp(String.raw`\.(\w+)\(\s*${name}\s*,`).exec(text) ?? [];
  if (asked !== undefined && !macros.includes(asked)) return `no list has "${asked}"; ${nearestOf(asked, macros)}`;
  return `there is no "${name}"; ${nearestOf(name, allNames)}`;
}

/** The fields of the lists that the expression names: where several are named, of all of them. */
function fieldsReadBy(text: string): readonly string[] {
  const named = identifiersIn(text);
  const lists = factLists.filter((list) => named.includes(list));
  return [...new Set(lists.flatMap((list) => Object.keys(factTables[list].fields)))];
}

function nearestOf(name: string, known: readonly string[]): string {
  const nearest = nearestKey(name, known);
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`;
}

const describeType = (type: string | undefined): string =>
  type === 'int' || type === 'double'
    ? 'a number'
    : type?.startsWith('list') === true
      ? 'a list'
      : `a ${type ?? 'value'}`;

function hintFor(text: string, type: string | undefined): string {
  if (type === 'int' || type === 'double') return `, such as ${text} <= 3`;
  return type?.startsWith('list') === true ? `, such as (${text}).size() == 0` : '';
}
