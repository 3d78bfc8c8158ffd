import { awsLabels, kubernetesLabels, readOwn, byTextOf } from '@nodewright/apis';
import type { AmiFamily, NodeSelectorRequirement, StatusAmi, VariantImage } from '@nodewright/apis';
import { isCompatible, parseRequirements, requirementsOfLabels } from '@nodewright/requirements';
import type { FoundImage } from './found-image.ts';
import { imageRequirements } from './image-requirements.ts';
import { releaseOfImageName } from './release-of-name.ts';

export type Accelerator = 'none' | 'nvidia' | 'neuron';

/** The kind of node that an image is for. Evidence never carries from one variant to another. */
export type NodeVariant = {
  readonly family: AmiFamily;
  readonly arch: 'amd64' | 'arm64';
  readonly accelerator: Accelerator;
};

const allAccelerators: readonly Accelerator[] = ['none', 'nvidia', 'neuron'];
const allArchitectures = ['amd64', 'arm64'] as const;

/** `AL2023/amd64/none`. */
export const printVariant = ({ family, arch, accelerator }: NodeVariant): string => `${family}/${arch}/${accelerator}`;

/** The variant of a node, by its labels and the family of its NodeClass. */
export function variantOfNode(family: AmiFamily, labels: Readonly<Record<string, string>> | undefined): NodeVariant {
  const arch = readOwn(labels, kubernetesLabels.arch) === 'arm64' ? 'arm64' : 'amd64';
  const has = (label: string): boolean => (readOwn(labels, label) ?? '0') !== '0';
  if (has(awsLabels.instanceGpuCount)) return { family, arch, accelerator: 'nvidia' };
  return { family, arch, accelerator: has(awsLabels.instanceAcceleratorCount) ? 'neuron' : 'none' };
}

/** Images of one's own say no variant: they are for every accelerator. */
export function acceleratorsOfImage({ variant }: Pick<FoundImage, 'variant'>): readonly Accelerator[] {
  if (variant === undefined) return allAccelerators;
  return variant === 'nvidia' || variant === 'neuron' ? [variant] : ['none'];
}

const requirementsOfVariant = ({ family, arch, accelerator }: NodeVariant): readonly NodeSelectorRequirement[] =>
  imageRequirements({ arch, variant: accelerator === 'none' ? 'standard' : accelerator }, family);

/** The labels of an instance type of the variant. */
function labelsOfVariant(variant: NodeVariant): Readonly<Record<string, string>> {
  const entries = requirementsOfVariant(variant).flatMap(({ key, operator, values }): [string, string][] => {
    if (operator === 'Exists') return [[key, '1']];
    const [value] = operator === 'In' ? (values ?? []) : [];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** The selected images by variant: for each variant the first whose requirements it meets. Sorted by variant. */
export function imageSetOf(source: string, family: AmiFamily, selected: readonly StatusAmi[]): readonly VariantImage[] {
  const variants = allArchitectures.flatMap((arch) =>
    allAccelerators.map((accelerator) => ({ family, arch, accelerator })),
  );
  return variants
    .flatMap((variant) => {
      const own = requirementsOfLabels(labelsOfVariant(variant));
      const image = selected.find(({ requirements }) => isCompatible(own, parseRequirements(requirements)));
      return image === undefined ? [] : [variantImage(source, variant, image)];
    })
    .toSorted(byTextOf(({ variant }) => variant));
}

function variantImage(source: string, variant: NodeVariant, { id, name }: StatusAmi): VariantImage {
  const release = releaseOfImageName(name ?? '')?.version;
  return {
    source,
    variant: printVariant(variant),
    image: id,
    ...(name === undefined ? {} : { name }),
    ...(release === undefined ? {} : { release }),
  };
}

/** @returns undefined for a text that is no variant, such as one of a later version */
export function parseVariant(text: string): NodeVariant | undefined {
  const [family = '', arch, accelerator] = text.split('/');
  const known = allAccelerators.find((each) => each === accelerator);
  if (known === undefined || (arch !== 'amd64' && arch !== 'arm64')) return undefined;
  return { family: family as AmiFamily, arch, accelerator: known };
}

/** The image as `status.amis` holds it. */
export function statusAmiOf({ variant, image, name }: VariantImage): StatusAmi | undefined {
  const parsed = parseVariant(variant);
  if (parsed === undefined) return undefined;
  return { id: image, ...(name === undefined ? {} : { name }), requirements: [...requirementsOfVariant(parsed)] };
}
