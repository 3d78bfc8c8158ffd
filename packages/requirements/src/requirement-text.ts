import { oncePerObject } from '@nodewright/apis';
import type { Requirement } from './requirements.ts';

/** Equal for requirements that allow the same values; the key and `minValues` are not part of it. */
export const requirementText = oncePerObject((r: Requirement): string => {
  const values = r.values.size < 2 ? [...r.values] : [...r.values].toSorted();
  return `${r.complement ? '!' : ''}${values.join(',')};${r.atLeast ?? ''};${r.atMost ?? ''}${r.defined === undefined ? '' : ';defined'}`;
});
