import type { AmiFamily, EC2NodeClass } from '@nodewright/apis';
import { familyOfAlias } from './alias.ts';

/** The family whose user data and volumes apply: as written, else that of the alias, else `Custom`. */
export function amiFamilyOf({ spec }: EC2NodeClass): AmiFamily {
  const alias = spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  return spec.amiFamily ?? familyOfAlias(alias ?? '') ?? 'Custom';
}
