import type { AmiSelectorTerm } from '@nodewright/apis';
import { familyOfAlias, parsedAlias } from './alias.ts';
import { type NamedRelease, releaseOfImageName } from './release-of-name.ts';

/** The release that a term pins, by alias or by the whole name of an EKS image. `undefined` for terms that follow releases. */
export function pinnedReleaseOf({ alias, name }: AmiSelectorTerm): NamedRelease | undefined {
  if (alias !== undefined) {
    const { version } = parsedAlias(alias);
    const family = familyOfAlias(alias);
    return family === undefined || version === 'latest' ? undefined : { family, version };
  }
  return name === undefined || isNamePattern(name) ? undefined : releaseOfImageName(name);
}

const isNamePattern = (name: string): boolean => /[*?]/.test(name);
