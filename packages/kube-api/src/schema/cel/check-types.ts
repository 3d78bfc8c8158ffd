import type { ValueSchema } from '../structural.ts';
import { identifierOf } from './identifier.ts';
import { isSyntaxNode, operandsOf, parseSyntaxTree, type SyntaxNode } from './syntax-tree.ts';

/** What is known of the type of a value: its schema, a scalar by its name in CEL, or nothing. */
type KnownType =
  | { readonly kind: 'schema'; readonly schema: ValueSchema }
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'unknown' };

type ScalarName = 'int' | 'double' | 'string' | 'bool';

type TypedNames = ReadonlyMap<string, KnownType>;

const unknownType: KnownType = { kind: 'unknown' };
const scalarType = (name: ScalarName): KnownType => ({ kind: 'scalar', name });

/**
 * What does not fit in an expression about objects of a schema, in the form of a real server: fields that the schema lacks,
 * operators and functions of texts on operands of other types. What is not known fits.
 * @param names the variables that are such objects
 */
export function typeProblems(text: string, names: readonly string[], schema: ValueSchema): readonly string[] {
  const root = parseSyntaxTree(text);
  if (root === undefined) return [];
  const check = new TypeCheck(text);
  check.typeOf(root, new Map(names.map((name) => [name, { kind: 'schema', schema }])));
  return check.problems;
}

const comparisonOperators: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const textFunctions: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'contains', 'matches']);
const itemMacros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
const resultsOfCalls: ReadonlyMap<string, ScalarName> = new Map([
  ['string', 'string'],
  ['int', 'int'],
  ['size', 'int'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['has', 'bool'],
]);

class TypeCheck {
  readonly problems: string[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  typeOf(node: SyntaxNode, names: TypedNames): KnownType {
    switch (node.op) {
      case 'id':
        return names.get(String(node.args)) ?? unknownType;
      case 'value':
        return typeOfLiteral(node.args);
      case '.':
        return this.#selected(node, names, node.pos);
      case '[]': {
        const [container] = operandsOf(node).map((each) => this.typeOf(each, names));
        return itemType(container ?? unknownType);
      }
      case 'call':
        return this.#called(node, names);
      case 'rcall':
        return this.#calledOn(node, names);
      default:
        return this.#combined(node, names);
    }
  }

  /** @param column where a field that does not exist is told of, from 1 on */
  #selected({ args }: SyntaxNode, names: TypedNames, column: number): KnownType {
    const [inner, field] = args as readonly [SyntaxNode, string];
    const container = this.typeOf(inner, names);
    if (container.kind !== 'schema') return unknownType;
    const { schema } = container;
    const member = Object.entries(schema.properties ?? {}).find(([name]) => identifierOf(name) === field)?.[1];
    if (member !== undefined) return typeOfSchema(member);
    if (isOpenSchema(schema)) return itemType(container);
    this.#tell(column, `undefined field '${field}'`);
    return unknownType;
  }

  #combined(node: SyntaxNode, names: TypedNames): KnownType {
    const operands = operandsOf(node);
    const [left, right] = operands.map((each) => this.typeOf(each, names));
    const second = operands[1];
    if (comparisonOperators.has(node.op) && left !== undefined && right !== undefined && second !== undefined) {
      if (left.kind === 'scalar' && right.kind === 'scalar' && !areComparable(left.name, right.name)) {
        const column = this.#text.lastIndexOf(node.op, second.pos - 1) + 1;
        this.#tell(column, `found no matching overload for '_${node.op}_' applied to '(${left.name}, ${right.name})'`);
      }
      return scalarType('bool');
    }
    return node.op === '&&' || node.op === '||' || node.op === '!_' ? scalarType('bool') : unknownType;
  }

  #called(node: SyntaxNode, names: TypedNames): KnownType {
    const [name] = node.args as readonly [string];
    for (const operand of operandsOf(node)) {
      if (name === 'has' && operand.op === '.') this.#selected(operand, names, node.pos + name.length + 1);
      else this.typeOf(operand, names);
    }
    const result = resultsOfCalls.get(name);
    return result === undefined ? unknownType : scalarType(result);
  }

  #calledOn({ args }: SyntaxNode, names: TypedNames): KnownType {
    const [name, receiver, operands] = args as readonly [string, SyntaxNode, readonly SyntaxNode[]];
    const on = this.typeOf(receiver, names);
    if (itemMacros.has(name)) return this.#overItems(name, on, operands, names);
    const types = operands.filter(isSyntaxNode).map((each) => this.typeOf(each, names));
    if (textFunctions.has(name) && on.kind === 'scalar' && on.name !== 'string') {
      const shown = types.map((each) => (each.kind === 'scalar' ? each.name : 'dyn')).join(', ');
      const column = this.#text.indexOf('(', this.#text.indexOf(name, receiver.pos)) + 1;
      this.#tell(column, `found no matching overload for '${name}' applied to '${on.name}.(${shown})'`);
    }
    return textFunctions.has(name) ? scalarType('bool') : name === 'size' ? scalarType('int') : unknownType;
  }

  #overItems(name: string, on: KnownType, operands: readonly SyntaxNode[], names: TypedNames): KnownType {
    const [variable, ...bodies] = operands;
    const item = on.kind === 'schema' && on.schema.type !== 'array' ? scalarType('string') : itemType(on);
    const inner = new Map([...names, [String(variable?.args), item]]);
    for (const body of bodies) this.typeOf(body, inner);
    return name === 'filter' ? on : name === 'map' ? unknownType : scalarType('bool');
  }

  #tell(column: number, problem: string): void {
    const before = this.#text.slice(0, Math.max(0, column - 1));
    const line = before.split('\n').length;
    const inLine = column - 1 - (before.lastIndexOf('\n') + 1);
    const source = this.#text.split('\n')[line - 1] ?? '';
    this.problems.push(`ERROR: <input>:${line}:${inLine + 1}: ${problem}\n | ${source}\n | ${'.'.repeat(inLine)}^`);
  }
}

function typeOfLiteral(value: unknown): KnownType {
  if (typeof value === 'bigint') return scalarType('int');
  if (typeof value === 'number') return scalarType('double');
  if (typeof value === 'string') return scalarType('string');
  return typeof value === 'boolean' ? scalarType('bool') : unknownType;
}

/** Texts with a format are times, bytes or amounts; a member of two types may be either. */
function typeOfSchema(schema: ValueSchema): KnownType {
  if (schema['x-kubernetes-int-or-string'] === true) return unknownType;
  switch (schema.type) {
    case 'integer':
      return scalarType('int');
    case 'number':
      return scalarType('double');
    case 'boolean':
      return scalarType('bool');
    case 'string':
      return schema.format === undefined ? scalarType('string') : unknownType;
    case undefined:
      return unknownType;
    default:
      return { kind: 'schema', schema };
  }
}

const isOpenSchema = ({ properties, additionalProperties, ...schema }: ValueSchema): boolean =>
  (properties === undefined && schema.type !== 'object') ||
  additionalProperties !== undefined ||
  schema['x-kubernetes-preserve-unknown-fields'] === true ||
  schema['x-kubernetes-embedded-resource'] === true;

/** The type of the items of a list or the values of a map. */
function itemType(container: KnownType): KnownType {
  if (container.kind !== 'schema') return unknownType;
  const { items, additionalProperties } = container.schema;
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return inner === undefined ? unknownType : typeOfSchema(inner);
}

const areComparable = (a: ScalarName, b: ScalarName): boolean =>
  a === b || ((a === 'int' || a === 'double') && (b === 'int' || b === 'double'));
