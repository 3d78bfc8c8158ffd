import { type AmiFamily, readOwn } from '@nodewright/apis';

/** What an alias says: `al2023@v20240828`. */
export type ImageAlias = { readonly family: string; readonly version: string };

/** Families by the word that aliases have for them. `ubuntu` is ours: its nodes start as those of AL2 do. */
const families: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  ubuntu: 'AL2',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

export const familyOfAlias = (alias: string): AmiFamily | undefined => readOwn(families, parsedAlias(alias).family);

export function parsedAlias(alias: string): ImageAlias {
  const [family = '', version = ''] = alias.split('@');
  return { family, version };
}

export const followsLatest = (alias: string): boolean => parsedAlias(alias).version === 'latest';

const examples: Readonly<Record<string, readonly string[]>> = {
  al2: ['al2@v20240625', 'al2@v20240117'],
  al2023: ['al2023@v20240828', 'al2023@v20240219'],
  bottlerocket: ['bottlerocket@v1.20.4', 'bottlerocket@v1.18.0'],
};

/** Another alias of the same family that pins a release, for people to copy the form from; the alias itself where none can. */
export const exampleOf = (alias: string): string =>
  readOwn(examples, parsedAlias(alias).family)?.find((example) => example !== alias) ?? alias;
