import { amiSelectorTermsOf, nodewrightAnnotations } from '@nodewright/apis';
import type { AmiSelectorTerm, EC2NodeClass, ObjectMeta } from '@nodewright/apis';

/** A question for images: to a cloud, which ones there are, and to `decideImages`, which of them may be launched. */
export type ImageQuery = {
  readonly terms: readonly AmiSelectorTerm[];
  /** The control plane's minor, `1.29`. */
  readonly kubernetesVersion: string;
  /** The minimum age of terms without one of their own, as the annotation `nodewright.dev/minimum-age-duration` has it. */
  readonly defaultMinimumAge?: string;
  /** Also lists older releases that no minimum age asks for. */
  readonly history?: true;
  /** Who asks, and since which change of its spec. Lookups are cached for each asker: a changed spec looks up again. */
  readonly asker?: string;
};

type ImageSelector = {
  readonly metadata: ObjectMeta;
  readonly terms: readonly AmiSelectorTerm[];
  readonly kubernetesVersion: string;
};

/** The question of an object that selects images by terms. Its annotations carry the default minimum age. */
export function buildImageQuery({ metadata, terms, kubernetesVersion }: ImageSelector): ImageQuery {
  const defaultMinimumAge = metadata.annotations?.[nodewrightAnnotations.minimumAgeDuration];
  const asker = `${metadata.uid} ${metadata.generation}`;
  return { terms, kubernetesVersion, asker, ...(defaultMinimumAge === undefined ? {} : { defaultMinimumAge }) };
}

/** The question of an EC2NodeClass. */
export const buildNodeClassImageQuery = (nodeClass: EC2NodeClass, kubernetesVersion: string): ImageQuery =>
  buildImageQuery({ metadata: nodeClass.metadata, terms: amiSelectorTermsOf(nodeClass), kubernetesVersion });
