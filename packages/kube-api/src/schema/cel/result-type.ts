import { operandsOf, parseSyntaxTree, type SyntaxNode } from './syntax-tree.ts';

const typesOfCalls: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['int', 'int'],
  ['uint', 'uint'],
  ['size', 'int'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['has', 'bool'],
  ['all', 'bool'],
  ['exists', 'bool'],
  ['exists_one', 'bool'],
  ['startsWith', 'bool'],
  ['endsWith', 'bool'],
  ['contains', 'bool'],
  ['matches', 'bool'],
]);

const verdicts: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', '&&', '||', '!_', 'in']);

/** Objects whose types are not known before a request. */
const untypedNames: ReadonlySet<string> = new Set(['object', 'oldObject', 'params']);

/** The name of the type that an expression of a policy evaluates to; undefined where it cannot be told from the text. */
export function resultTypeOf(expression: string): string | undefined {
  const root = parseSyntaxTree(expression);
  return root === undefined ? undefined : typeNameOf(root);
}

function typeNameOf(node: SyntaxNode): string | undefined {
  if (verdicts.has(node.op)) return 'bool';
  switch (node.op) {
    case 'value':
      return typeNameOfLiteral(node.args);
    case 'id':
      return untypedNames.has(String(node.args)) ? 'dyn' : undefined;
    case '.':
    case '[]': {
      const [container] = operandsOf(node);
      return container !== undefined && typeNameOf(container) === 'dyn' ? 'dyn' : undefined;
    }
    case 'call':
    case 'rcall':
      return Array.isArray(node.args) ? typesOfCalls.get(String(node.args[0])) : undefined;
    case '?:': {
      const [, ...branches] = operandsOf(node).map(typeNameOf);
      if (branches.includes(undefined)) return undefined;
      return branches.includes('dyn') ? 'dyn' : branches[0] === branches[1] ? branches[0] : undefined;
    }
    default:
      return undefined;
  }
}

function typeNameOfLiteral(value: unknown): string | undefined {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'bool' : undefined;
}
