import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { productSources, root } from './sources.ts';

/** A name that a file declares at its top level. */
export type Declaration = {
  readonly name: string;
  readonly file: string;
  readonly isExported: boolean;
  readonly isFunction: boolean;
};

const declared =
  /^(export )?(?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|type|interface)\s+([A-Za-z_$][\w$]*)/gm;

/** A constant whose value begins as an arrow function does. */
const arrowFunction = /^[^\n]*?=\s*(?:async\s*)?(?:<[^;]*?>\s*)?\((?:[^()]|\([^()]*\))*\)(?::[^=;]*?)?\s*=>/;

const declarationsIn = (file: string): readonly Declaration[] => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(declared)].map((match) => {
    const [, exported, keyword = '', name = ''] = match;
    return {
      name,
      file: relative(root, file),
      isExported: exported !== undefined,
      isFunction:
        keyword.startsWith('function') || (keyword === 'const' && arrowFunction.test(text.slice(match.index))),
    };
  });
};

/** Test support has the words of tests. */
const testSupport = join(root, 'packages/testkit');

export const declarations = (): readonly Declaration[] =>
  productSources()
    .filter((file) => !file.startsWith(testSupport))
    .flatMap(declarationsIn);

/** The names that more than one file declares, with their files. */
export function repeatedNames(among: readonly Declaration[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, Set<string>>();
  for (const { name, file } of among) files.set(name, (files.get(name) ?? new Set()).add(file));
  return new Map(
    [...files].filter(([, where]) => where.size > 1).map(([name, where]) => [name, [...where].toSorted()]),
  );
}

/** How many of all declarations have a name that another file declares, too: 0 to 1. */
export function ambiguousShare(among: readonly Declaration[]): number {
  const repeated = repeatedNames(among);
  return among.filter(({ name }) => repeated.has(name)).length / among.length;
}

/** Exported functions whose name is a single word: a reader who comes from a search learns nothing from it. */
export const oneWordFunctions = (among: readonly Declaration[]): readonly Declaration[] =>
  among.filter(({ name, isExported, isFunction }) => isExported && isFunction && /^[a-z][a-z0-9]*$/.test(name));
