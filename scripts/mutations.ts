import { byNumberOf, inOrder, readOwn } from '@nodewright/apis';
import { parseAst } from 'rolldown/parseAst';

/** One change of a source that some test should notice. */
export type Mutation = {
  readonly line: number;
  /** `a < b` → `a <= b`, on one line. */
  readonly change: string;
  readonly mutated: string;
};

type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;
type Replacement = { readonly start: number; readonly end: number; readonly text: string };

const otherOperators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
};

const otherMethods: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' };

/** Methods that hand on a list: without the call the list stays as it is. */
const listMethods: ReadonlySet<string> = new Set(['filter', 'toSorted', 'slice']);

/** Parts of the tree that hold types alone. */
const typeParts: ReadonlySet<string> = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
]);

/** All mutations of a TypeScript source: comparisons, boolean operators, constants, conditions, calls on lists, statements. */
export function listMutations(source: string): readonly Mutation[] {
  const found: Replacement[] = [];
  visitNode(parseAst(source, { lang: 'ts' }) as unknown as SyntaxNode, source, found);
  return found
    .toSorted(
      inOrder(
        byNumberOf(({ start }) => start),
        byNumberOf(({ end }) => end),
      ),
    )
    .map(({ start, end, text }) => ({
      line: source.slice(0, start).split('\n').length,
      change: `${onOneLine(source.slice(start, end))} → ${onOneLine(text)}`,
      mutated: source.slice(0, start) + text + source.slice(end),
    }));
}

function visitNode(node: SyntaxNode, source: string, found: Replacement[]): void {
  if (node.type === 'ImportDeclaration' || node.type === 'TSTypeAliasDeclaration') return;
  found.push(...replacementsOfNode(node, source));
  for (const [key, value] of Object.entries(node)) {
    if (typeParts.has(key)) continue;
    for (const child of [value].flat()) if (isSyntaxNode(child)) visitNode(child, source, found);
  }
}

const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function replacementsOfNode(node: SyntaxNode, source: string): readonly Replacement[] {
  const textOfNode = ({ start, end }: SyntaxNode): string => source.slice(start, end);
  const replaceNode = (part: SyntaxNode, text: string): Replacement => ({ start: part.start, end: part.end, text });
  const { left, right, operator, test, argument, callee, consequent, alternate } = node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return isSyntaxNode(left) && isSyntaxNode(right)
        ? swapOperator({ left, right, operator: String(operator) }, source)
        : [];
    case 'UnaryExpression':
      return operator === '!' && isSyntaxNode(argument) ? [replaceNode(node, textOfNode(argument))] : [];
    case 'IfStatement':
      return isSyntaxNode(test) ? ['true', 'false'].map((text) => replaceNode(test, text)) : [];
    case 'ConditionalExpression':
      return isSyntaxNode(test) && isSyntaxNode(consequent) && isSyntaxNode(alternate)
        ? [consequent, alternate].map((part) => replaceNode(node, `(${textOfNode(part)})`))
        : [];
    case 'Literal':
      return replaceLiteral(node);
    case 'ExpressionStatement':
      return [replaceNode(node, ';')];
    case 'CallExpression':
      return isSyntaxNode(callee) ? replaceCall(node, callee, source) : [];
    default:
      return [];
  }
}

function swapOperator(
  { left, right, operator }: { readonly left: SyntaxNode; readonly right: SyntaxNode; readonly operator: string },
  source: string,
): readonly Replacement[] {
  const between = source.slice(left.end, right.start);
  const at = left.end + between.indexOf(operator);
  if (operator === '??') return [{ start: left.start, end: right.end, text: source.slice(left.start, left.end) }];
  const other = readOwn(otherOperators, operator);
  return other === undefined ? [] : [{ start: at, end: at + operator.length, text: other }];
}

function replaceLiteral({ start, end, value }: SyntaxNode): readonly Replacement[] {
  if (typeof value === 'boolean') return [{ start, end, text: String(!value) }];
  return typeof value === 'number' ? [{ start, end, text: String(value + 1) }] : [];
}

function replaceCall({ end }: SyntaxNode, callee: SyntaxNode, source: string): readonly Replacement[] {
  const { object, property } = callee;
  if (callee.type !== 'MemberExpression' || !isSyntaxNode(object) || !isSyntaxNode(property)) return [];
  const name = source.slice(property.start, property.end);
  // A call of toString is no mutation: the table of methods has one of its own.
  const other = readOwn(otherMethods, name);
  if (other !== undefined) return [{ start: property.start, end: property.end, text: other }];
  return listMethods.has(name) ? [{ start: object.end, end, text: '' }] : [];
}

const onOneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
};
