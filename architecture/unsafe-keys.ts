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

/** A node that is unsafe if the type at one of the places says so. */
type Suspect = {
  readonly node: Node;
  readonly places: readonly Node[];
  readonly isUnsafe: (type: Type | undefined) => boolean;
};

/** The types of all suspects of a file come in one answer: each question costs a round trip. */
function unsafeKeysIn(source: SourceFile, checker: Checker): readonly string[] {
  const suspects: Suspect[] = [];
  const visit = (node: Node): void => {
    const suspect = suspectAt(node, checker);
    if (suspect !== undefined) suspects.push(suspect);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  const places = suspects.flatMap((suspect) => suspect.places);
  const types = new Map(checker.getTypeAtLocation(places).map((type, at) => [places[at], type]));
  return suspects
    .filter((suspect) => suspect.places.some((place) => suspect.isUnsafe(types.get(place))))
    .map(({ node }) => {
      const text = source.text.slice(node.pos, node.end).trim();
      const line = source.text.slice(0, node.end).split('\n').length;
      return `${relative(root, source.fileName)}:${line} ${text}`;
    });
}

function suspectAt(node: Node, checker: Checker): Suspect | undefined {
  if (isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    // A deletion reaches own members only.
    if (isStringLiteral(key) || isNumericLiteral(key) || node.parent.kind === SyntaxKind.DeleteExpression)
      return undefined;
    return { node, places: [key], isUnsafe: (type) => isAsExpression(key) || !isClosed(type) };
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return isStringLiteral(node.left) ? undefined : { node, places: [node.left], isUnsafe: (type) => !isClosed(type) };
  }
  if (!isCallExpression(node) || !isObjectAssign(node.expression)) return undefined;
  const copied = node.arguments.slice(1);
  // What a list holds is not worth telling apart: no source needs `Object.assign` of a list.
  const copiesList = copied.some(isSpreadElement);
  return { node, places: copied, isUnsafe: (type) => copiesList || hasAnyKey(type, checker) };
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
