import { readOwn } from '@nodewright/apis';
import type { Random } from '@nodewright/runtime';
import type { TestedKind } from './kinds.ts';

export const testNamespace = 'case-RUN';

export const collectionOf = ({ root, plural, namespaced }: TestedKind): string =>
  namespaced ? `${root}/namespaces/${testNamespace}/${plural}` : `${root}/${plural}`;

export const objectOf = (kind: TestedKind, name: string): string => `${collectionOf(kind)}/${name}`;

/** Kinds whose names say what they are. */
const ownNames: Readonly<Record<string, readonly string[]>> = {
  CustomResourceDefinition: ['things.RUN.example.com'],
  APIService: ['v1.RUN.example.com'],
  IPAddress: ['10.100.7.7'],
};

/** The names that objects of a kind have. */
export const listObjectNames = ({ kind, namespaced }: TestedKind): readonly string[] =>
  readOwn(ownNames, kind) ?? (namespaced ? ['a', 'b'] : ['a-RUN', 'b-RUN']);

/** One of a few names, so that requests meet the same objects: the first one three times of four. */
export function objectName(random: Random, kind: TestedKind): string {
  const names = listObjectNames(kind);
  return (random.next() < 0.75 ? names[0] : names.at(-1)) ?? 'a';
}
