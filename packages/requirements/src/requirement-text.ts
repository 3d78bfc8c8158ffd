import type { Requirement } from './requirements.ts';

/** Requirements never change, so each is spelled out once. */
const texts = new WeakMap<Requirement, string>();

/** Equal for requirements that allow the same values; the key and `minValues` are not part of it. */
export function requirementText(r: Requirement): string {
  let text = texts.get(r);
  if (text === undefined) {
    const values = r.values.size < 2 ? [...r.values] : [...r.values].toSorted();
    text = `${r.complement ? '!' : ''}${values.join(',')};${r.atLeast ?? ''};${r.atMost ?? ''}${r.defined === undefined ? '' : ';defined'}`;
    texts.set(r, text);
  }
  return text;
}
