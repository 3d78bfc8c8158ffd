import type { AmiFamily, AmiSelectorTerm, EC2NodeClass } from '@nodewright/apis';
import { amiFamilyOf, pinnedReleaseOf } from '@nodewright/engine';
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
  const pinned = pinnedReleaseOf(term);
  if (pinned === undefined) return undefined;
  const field = term.alias === undefined ? 'name' : 'alias';
  return { ...pinned, path: [...path, field], value: term[field] ?? '' };
}

export const hasWildcard = (name: string): boolean => /[*?]/.test(name);

/** The families whose images a class asks for. */
export const familiesOf = (nodeClass: EC2NodeClass): readonly AmiFamily[] => {
  const named = writtenTerms(nodeClass).flatMap((written) => pinnedRelease(written)?.family ?? []);
  return [...new Set([amiFamilyOf(nodeClass), ...named])];
};
