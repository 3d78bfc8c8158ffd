import { awsAnnotations } from './labels.ts';
import { ubuntuRelease } from './v1beta1/ubuntu.ts';
import type { AmiSelectorTerm, EC2NodeClass } from './types.ts';

/** Not an alias that people can write: v1 has no family Ubuntu. */
const ubuntu = (release = 'latest'): AmiSelectorTerm => ({ alias: `ubuntu@${release}` });

/**
 * What a NodeClass selects its images by. A v1beta1 class of family Ubuntu without terms, which v1 has no
 * words for, follows Ubuntu's current release, or takes the one its family names; the placeholder that stands in its spec is passed over.
 */
export function amiSelectorTermsOf({ metadata, spec }: EC2NodeClass): readonly AmiSelectorTerm[] {
  const madeUp = metadata.annotations?.[awsAnnotations.v1beta1Ubuntu]?.split(',') ?? [];
  return madeUp.includes('incompatible') ? [ubuntu(ubuntuRelease(madeUp))] : spec.amiSelectorTerms;
}
