import { Environment } from '@marcbachmann/cel-js';

/** A node of a parsed expression: its operation, its operands, and where it begins in the text. */
export type SyntaxNode = { readonly op: string; readonly pos: number; readonly args: unknown };

let treeEnvironment: Environment | undefined;

/** The tree of an expression; undefined for a text that is none. */
export function parseSyntaxTree(text: string): SyntaxNode | undefined {
  treeEnvironment ??= new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
  try {
    return treeEnvironment.parse(text).ast;
  } catch {
    return undefined;
  }
}

export const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'pos' in value;

/** The operands that are nodes themselves, also those in lists. */
export const operandsOf = ({ args }: SyntaxNode): readonly SyntaxNode[] =>
  (Array.isArray(args) ? args.flat(2) : [args]).filter(isSyntaxNode);
