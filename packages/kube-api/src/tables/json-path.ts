import { readOwn } from '@nodewright/apis';
import type { Members } from './reading.ts';

/** One step of a JSON path: a member, an element, all elements, or those whose member has a value. */
type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly path: readonly string[]; readonly equals: string | undefined };

const pattern =
  /\.((?:\\.|[^.[\]\\])+)|\[\*\]|\[(-?\d+)\]|\['([^']*)'\]|\[\?\(@((?:\.(?:\\.|[^.=)\\ ])+)+)\s*(?:==\s*["']([^"']*)["'])?\s*\)\]/gy;

/** Reads a printer column's path: `.status.conditions[?(@.type=="Ready")].status`, `.spec.items[*].key`. */
export function parseJsonPath(text: string): readonly Step[] {
  return [...text.matchAll(pattern)].map(([found, name, index, quoted, where, equals]) => {
    if (found === '[*]') return { kind: 'all' };
    if (index !== undefined) return { kind: 'element', index: Number(index) };
    if (where !== undefined) return { kind: 'where', path: namesOf(where), equals };
    return { kind: 'member', name: unescaped(name ?? quoted ?? '') };
  });
}

const unescaped = (name: string): string => name.replaceAll(/\\(.)/g, '$1');

const namesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\.((?:\\.|[^.\\])+)/g)].map(([, name = '']) => unescaped(name));

/** Everything the path leads to, in order. */
export const valuesAt = (object: unknown, steps: readonly Step[]): readonly unknown[] =>
  steps.reduce<readonly unknown[]>((values, step) => values.flatMap((value) => follow(value, step)), [object]);

function follow(value: unknown, step: Step): readonly unknown[] {
  switch (step.kind) {
    case 'member':
      return memberOf(value, step.name);
    case 'element':
      return Array.isArray(value) ? present(value.at(step.index)) : [];
    case 'all':
      return Array.isArray(value) ? value : Object.values((value ?? {}) as Members);
    case 'where':
      return Array.isArray(value) ? value.filter((element) => passes(element, step)) : [];
  }
}

function passes(element: unknown, { path, equals }: Extract<Step, { kind: 'where' }>): boolean {
  const found = path.reduce<readonly unknown[]>(
    (values, name) => values.flatMap((value) => memberOf(value, name)),
    [element],
  );
  return equals === undefined ? found.length > 0 : found.includes(equals);
}

const memberOf = (value: unknown, name: string): readonly unknown[] =>
  typeof value === 'object' && value !== null ? present(readOwn(value as Members, name)) : [];

const present = (value: unknown): readonly unknown[] => (value === undefined || value === null ? [] : [value]);
