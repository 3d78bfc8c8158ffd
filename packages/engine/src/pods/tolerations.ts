import type { Taint, Toleration } from '@nodewright/apis';

/** The first taint that no toleration matches; `undefined` when all are tolerated. PreferNoSchedule counts. */
export const untoleratedTaint = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined =>
  taints.find((taint) => !(tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint)));

/** Whether a pod with these tolerations may run behind these taints. PreferNoSchedule counts. */
export const toleratesAll = (taints: readonly Taint[], tolerations: readonly Toleration[] | undefined): boolean =>
  untoleratedTaint(taints, tolerations) === undefined;

/** Matches key, effect and value; an absent key with `Exists` matches every key, an absent effect every effect. */
function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? 'Equal') {
    case 'Exists':
      return true;
    case 'Equal':
      return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '');
    case 'Lt':
      return compareTaintValues(taint, toleration, (has, bound) => has < bound);
    case 'Gt':
      return compareTaintValues(taint, toleration, (has, bound) => has > bound);
  }
}

const wholeNumberOfTaint = /^(0|-?[1-9]\d*)$/;

function compareTaintValues(
  taint: Taint,
  toleration: Toleration,
  holds: (has: bigint, bound: bigint) => boolean,
): boolean {
  const [has, bound] = [taint.value ?? '', toleration.value ?? ''];
  return wholeNumberOfTaint.test(has) && wholeNumberOfTaint.test(bound) && holds(BigInt(has), BigInt(bound));
}

/** What the last step of relaxation adds, and what every daemon pod has. */
export const toleratesPreferNoSchedule: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' };

/** Whether taints keep pods away that have somewhere else to go. */
export const prefersNoSchedule = (taints: readonly Taint[]): boolean =>
  taints.some(({ effect }) => effect === 'PreferNoSchedule');
