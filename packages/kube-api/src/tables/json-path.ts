import { readOwn } from '@nodewright/apis';
import type { TableMembers } from './reading.ts';

/** One step of a JSON path: a member, an element, all elements, or those whose member has a value. */
type PathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly path: readonly string[]; readonly equals: string | undefined };

const jsonPathPattern =
  /\.((?:\\.|[^.[\]\\])+)|\[\*\]|\[(-?\d+)\]|\['([^']*)'\]|\[\?\(@((?:\.(?:\\.|[^.=)\\ ])+)+)\s*(?:==\s*["']([^"']*)["'])?\s*\)\]/gy;

/** Parses the path of a printer column: `.status.conditions[?(@.type=="Ready")].status`, `.spec.items[*].key`. */
export function parseJsonPath(text: string): readonly PathStep[] {
  return [...text.matchAll(jsonPathPattern)].map(([found, name, index, quoted, where, equals]) => {
    if (found === '[*]') return { kind: 'all' };
    if (index !== undefined) return { kind: 'element', index: Number(index) };
    if (where !== undefined) return { kind: 'where', path: splitJsonPath(where), equals };
    return { kind: 'member', name: unescapeName(name ?? quoted ?? '') };
  });
}

const unescapeName = (name: string): string => name.replaceAll(/\\(.)/g, '$1');

const splitJsonPath = (path: string): readonly string[] =>
  [...path.matchAll(/\.((?:\\.|[^.\\])+)/g)].map(([, name = '']) => unescapeName(name));

/** The values at a path, in order. */
export const valuesAt = (object: unknown, steps: readonly PathStep[]): readonly unknown[] =>
  steps.reduce<readonly unknown[]>((values, step) => values.flatMap((value) => followStep(value, step)), [object]);

function followStep(value: unknown, step: PathStep): readonly unknown[] {
  switch (step.kind) {
    case 'member':
      return membersNamed(value, step.name);
    case 'element':
      return Array.isArray(value) ? withoutNull(value.at(step.index)) : [];
    case 'all':
      return Array.isArray(value) ? value : Object.values((value ?? {}) as TableMembers);
    case 'where':
      return Array.isArray(value) ? value.filter((element) => passesFilter(element, step)) : [];
  }
}

function passesFilter(element: unknown, { path, equals }: Extract<PathStep, { kind: 'where' }>): boolean {
  const found = path.reduce<readonly unknown[]>(
    (values, name) => values.flatMap((value) => membersNamed(value, name)),
    [element],
  );
  return equals === undefined ? found.length > 0 : found.includes(equals);
}

const membersNamed = (value: unknown, name: string): readonly unknown[] =>
  typeof value === 'object' && value !== null ? withoutNull(readOwn(value as TableMembers, name)) : [];

const withoutNull = (value: unknown): readonly unknown[] => (value === undefined || value === null ? [] : [value]);
