import { type ASTNode, serialize } from '@marcbachmann/cel-js';
import { type CompiledCondition, expressionEnvironment, type FactSource } from './compile-expression.ts';

/** A part of an expression and what it was. */
export type ExplainedPart = { readonly text: string; readonly value: string };

/**
 * The values in a condition that is not true: both sides of comparisons, the items for which `all` does not hold, how many
 * there are of what `exists` seeks. Parts that depend on the item of a list have no value of their own.
 */
export function explainCondition(condition: CompiledCondition, facts: FactSource): readonly ExplainedPart[] {
  const parts = new Map<string, string>();
  explainPart(condition.parsed.ast, { facts, condition, parts });
  return [...parts].map(([text, value]) => ({ text, value }));
}

type PartExplanation = {
  readonly facts: FactSource;
  readonly condition: CompiledCondition;
  readonly parts: Map<string, string>;
};

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

function explainPart(node: ASTNode, to: PartExplanation): void {
  switch (node.op) {
    case '&&':
    case '||':
    case '?:':
      for (const part of node.args) explainPart(part, to);
      return;
    case '!_':
      return explainPart(node.args, to);
    case 'rcall':
      return explainCall(node, to);
    default:
      if (comparisons.has(node.op)) for (const side of node.args as [ASTNode, ASTNode]) explainSide(side, to);
  }
}

function explainCall(node: Extract<ASTNode, { op: 'rcall' }>, to: PartExplanation): void {
  const [name, list, args] = node.args;
  const [variable, predicate] = args;
  if (variable === undefined || predicate === undefined) return addPart(serialize(node), to);
  if (name === 'all')
    return addPart(`${serialize(list)}.filter(${serialize(variable)}, !(${serialize(predicate)}))`, to);
  if (name === 'exists' || name === 'exists_one')
    return addPart(`${serialize(list)}.filter(${serialize(variable)}, ${serialize(predicate)})`, to);
  addPart(serialize(node), to);
}

/** A count is explained by what is counted, too. */
function explainSide(side: ASTNode, to: PartExplanation): void {
  if (side.op === 'value') return;
  addPart(serialize(side), to);
  if (side.op === 'rcall' && side.args[0] === 'size') addPart(serialize(side.args[1]), to);
  if (side.op === 'call' && side.args[0] === 'size' && side.args[1][0] !== undefined)
    addPart(serialize(side.args[1][0]), to);
}

/** Parts of another item's scope cannot be computed alone, and are left out. */
function addPart(text: string, { facts, condition, parts }: PartExplanation): void {
  if (parts.has(text) || !expressionEnvironment().check(text).valid) return;
  const values = Object.fromEntries(condition.reads.map((name) => [name, facts(name)]));
  try {
    parts.set(text, describeValue(expressionEnvironment().parse(text)(values)));
  } catch (error) {
    parts.set(text, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

const mostItems = 8;

/** Lists as the names of their items, the first of them. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return describeItems(value);
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value === 'number') return String(Math.round(value * 10_000) / 10_000);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return nameOfFact(value) ?? describeDuration(value);
  return String(value);
}

function describeItems(items: readonly unknown[]): string {
  if (items.length === 0) return 'none';
  const shown = items.slice(0, mostItems).map((item) => describeValue(item));
  const more = items.length > mostItems ? `, and ${items.length - mostItems} more` : '';
  return `${items.length}: ${shown.join(', ')}${more}`;
}

type NamedFact = {
  readonly namespace?: string;
  readonly name?: string;
  readonly pod?: string;
  readonly id?: string;
  readonly reason?: string;
  readonly kind?: string;
};

function nameOfFact(fact: NamedFact): string | undefined {
  if (fact.reason !== undefined) return `${fact.reason} of ${fact.kind ?? ''} ${fact.name ?? ''}`;
  const name = fact.name ?? fact.pod ?? fact.id;
  if (name === undefined) return undefined;
  return (fact.namespace ?? '') === '' ? name : `${fact.namespace}/${name}`;
}

/** A duration of the library, as it prints itself: `5400s`. */
const describeDuration = (value: object): string => {
  const seconds = Number(value.valueOf()) / 1_000;
  return Number.isFinite(seconds) ? `${seconds}s` : 'an object';
};
