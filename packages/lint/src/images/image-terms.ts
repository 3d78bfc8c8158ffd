import type { AmiFamily, AmiSelectorTerm, EC2NodeClass } from '@nodewright/apis';
import { amiFamilyOf, familyOfAlias, parsedAlias, releaseOfImageName } from '@nodewright/engine';
import type { ManifestPath } from '../lint-rule.ts';

/** A term that selects images, and where it is written. */
export type WrittenTerm = { readonly term: AmiSelectorTerm; readonly path: ManifestPath };

export const writtenTerms = ({ spec }: EC2NodeClass): readonly WrittenTerm[] =>
  (spec.amiSelectorTerms ?? []).map((term, index) => ({ term, path: ['spec', 'amiSelectorTerms', index] }));

/** A release that a term pins. */
export type PinnedRelease = {
  readonly family: AmiFamily;
  readonly version: string;
  readonly path: ManifestPath;
  readonly value: string;
};

/** The release that a term names, by alias or by the whole name of an EKS image. */
export function pinnedRelease({ term, path }: WrittenTerm): PinnedRelease | undefined {
  if (term.alias !== undefined) {
    const { version } = parsedAlias(term.alias);
    const family = familyOfAlias(term.alias);
    return family === undefined || version === 'latest'
      ? undefined
      : { family, version, path: [...path, 'alias'], value: term.alias };
  }
  if (term.name === undefined || hasWildcard(term.name)) return undefined;
  const named = releaseOfImageName(term.name);
  return named === undefined ? undefined : { ...named, path: [...path, 'name'], value: term.name };
}

export const hasWildcard = (name: string): boolean => /[*?]/.test(name);

/** The families whose images a class asks for. */
export const familiesOf = (nodeClass: EC2NodeClass): readonly AmiFamily[] => {
  const named = writtenTerms(nodeClass).flatMap((written) => pinnedRelease(written)?.family ?? []);
  return [...new Set([amiFamilyOf(nodeClass), ...named])];
};
