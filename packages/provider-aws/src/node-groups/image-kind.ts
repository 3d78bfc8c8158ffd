import type { ManagedGroup } from '@nodewright/ports';

type ImageKind = NonNullable<ManagedGroup['imageKind']>;

/** What an `amiType` of EKS stands for; `undefined` for `CUSTOM`, where the template names the image. */
export function imageKindOf(amiType: string): ImageKind | undefined {
  const family = familyOfAmiType(amiType);
  if (family === undefined) return undefined;
  return { family, arch: amiType.includes('ARM_64') ? 'arm64' : 'amd64', variant: variantOfAmiType(amiType) };
}

function familyOfAmiType(amiType: string): string | undefined {
  if (amiType.startsWith('AL2023_')) return 'al2023';
  if (amiType.startsWith('AL2_')) return 'al2';
  if (amiType.startsWith('BOTTLEROCKET_')) return 'bottlerocket';
  const windows = /^WINDOWS_(?:CORE|FULL)_(\d{4})_/.exec(amiType)?.[1];
  return windows === undefined ? undefined : `windows${windows}`;
}

function variantOfAmiType(amiType: string): string {
  if (amiType.includes('GPU') || amiType.includes('NVIDIA')) return 'nvidia';
  if (amiType.includes('NEURON')) return 'neuron';
  return amiType.endsWith('_FIPS') ? 'fips' : 'standard';
}
