import type { AmiSelectorTerm, VariantImage } from '@nodewright/apis';
import { type SourcePin, parseReleaseDay } from '@nodewright/engine';

/** Whether the term names its images, so that a newer release never takes their place. */
export const isPinningTerm = ({ id, alias, name }: AmiSelectorTerm): boolean =>
  id !== undefined || (alias !== undefined && !alias.endsWith('@latest')) || (name !== undefined && !/[*?]/.test(name));

/** The releases that a source pins: those of its images whose names say the day on which they came out. */
export function listSourcePins(
  terms: readonly AmiSelectorTerm[],
  wanted: readonly VariantImage[],
): readonly SourcePin[] {
  if (terms.length === 0 || !terms.every(isPinningTerm)) return [];
  const pins = new Map<string, SourcePin>();
  for (const { source, release } of wanted) {
    const releasedAt = parseReleaseDay(release);
    if (release !== undefined && releasedAt !== undefined) pins.set(release, { source, release, releasedAt });
  }
  return [...pins.values()];
}
