import { join, relative } from 'node:path';
import {
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
  isNumericLiteral,
  isSpreadElement,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';
import { productSources, root } from './sources.ts';

/** The places where a source reads, tests or copies members by a word that the program itself does not choose. */
export function findUnsafeKeys(): readonly string[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    if (project === undefined) throw new Error('tsconfig.json opens no project');
    return productSources().flatMap((file) => {
      const source = project.program.getSourceFile(file);
      return source === undefined ? [] : unsafeKeysIn(source, project.checker);
    });
  } finally {
    api.close();
  }
}

function unsafeKeysIn(source: SourceFile, checker: Checker): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (isUnsafe(node, checker)) {
      const text = source.text.slice(node.pos, node.end).trim();
      const line = source.text.slice(0, node.end).split('\n').length;
      found.push(`${relative(root, source.fileName)}:${line} ${text}`);
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}

function isUnsafe(node: Node, checker: Checker): boolean {
  if (isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    // A deletion reaches own members only.
    if (isStringLiteral(key) || isNumericLiteral(key) || node.parent.kind === SyntaxKind.DeleteExpression) return false;
    return isAsExpression(key) || !isClosed(checker.getTypeAtLocation(key));
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return !isStringLiteral(node.left) && !isClosed(checker.getTypeAtLocation(node.left));
  }
  return isCallExpression(node) && isObjectAssign(node.expression) && node.arguments.slice(1).some(copiesAnyKey);

  function copiesAnyKey(argument: Node): boolean {
    // What a list holds is not worth telling apart: no source needs `Object.assign` of a list.
    return isSpreadElement(argument) || hasAnyKey(checker.getTypeAtLocation(argument), checker);
  }
}

const isObjectAssign = (callee: Node): boolean =>
  callee.getSourceFile().text.slice(callee.pos, callee.end).trim() === 'Object.assign';

/** Whether the words of a type are the program's own: literals, numbers, symbols, the keys of a type. */
function isClosed(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().every(isClosed);
  if (type.isTypeParameter() || type.isIndexType()) return true;
  return type.isStringLiteralType() || (type.flags & (TypeFlags.NumberLike | TypeFlags.ESSymbolLike)) !== 0;
}

function hasAnyKey(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined || (type.flags & TypeFlags.Any) !== 0) return true;
  if (type.isUnionType() || type.isIntersectionType()) return type.getTypes().some((each) => hasAnyKey(each, checker));
  return checker.getIndexInfosOfType(type).some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0);
}
