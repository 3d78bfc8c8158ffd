import type { Node, Taint, Toleration } from '@nodewright/apis';

/** The first taint that keeps the pod away; a `PreferNoSchedule` taint does not. */
export function firstUntolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
  return taints?.find((taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, tolerations));
}

export const isTolerated = (taint: Taint, tolerations: readonly Toleration[] | undefined): boolean =>
  tolerations?.some((toleration) => toleratesTaint(toleration, taint)) ?? false;

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export function toleratesTaint({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== undefined && key !== '' && key !== taint.key) return false;
  switch (operator) {
    case 'Exists':
      return true;
    case 'Equal':
      return key !== undefined && key !== '' && value === (taint.value ?? '');
    case 'Gt':
      return Number(taint.value) > Number(value);
    case 'Lt':
      return Number(taint.value) < Number(value);
  }
}

/** Whether pods that do not tolerate all of its taints prefer other nodes. */
export const isToBeAvoided = ({ spec }: Node): boolean =>
  (spec?.taints ?? []).some(({ effect }) => effect === 'PreferNoSchedule');
