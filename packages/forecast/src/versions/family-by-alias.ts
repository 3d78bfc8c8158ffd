import { readOwn } from '@nodewright/apis';
import type { ImageRelease } from '@nodewright/aws-endpoints';

const familiesByAlias: Readonly<Record<string, ImageRelease['family']>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  ubuntu: 'Ubuntu',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

/** `AL2023` of `al2023@latest`. */
export const familyByAlias = (alias: string | undefined): ImageRelease['family'] | undefined =>
  readOwn(familiesByAlias, alias?.split('@', 1).join('') ?? '');
