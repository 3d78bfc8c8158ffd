import type { Taint } from '@nodewright/apis';

/** Taints are the same when key and effect are; the value does not count. */
export const isEqualTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;

export const hasTaint = (taints: readonly Taint[] | undefined, taint: Taint): boolean =>
  (taints ?? []).some((other) => isEqualTaint(other, taint));

/** `taints` and whatever of `more` is not among them yet. */
export const mergedTaints = (taints: readonly Taint[], more: readonly Taint[]): readonly Taint[] =>
  more.reduce<readonly Taint[]>((all, taint) => (hasTaint(all, taint) ? all : [...all, taint]), taints);

export const withoutTaint = (taints: readonly Taint[], taint: Taint): readonly Taint[] =>
  taints.filter((other) => !isEqualTaint(other, taint));
