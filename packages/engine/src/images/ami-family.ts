import type { AmiFamily, EC2NodeClass } from '@nodewright/apis';

const familyOfAlias: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

/** The family whose user data and volumes apply: as written, else that of the alias, else `Custom`. */
export function amiFamilyOf({ spec }: EC2NodeClass): AmiFamily {
  const alias = spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  return spec.amiFamily ?? familyOfAlias[alias?.split('@')[0] ?? ''] ?? 'Custom';
}
