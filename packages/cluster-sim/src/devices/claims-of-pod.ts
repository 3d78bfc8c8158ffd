import type { Pod, PodResourceClaim } from '@nodewright/apis';

export const usesClaimsOfDevices = ({ spec }: Pick<Pod, 'spec'>): boolean => (spec.resourceClaims ?? []).length > 0;

/** The name of the claim in the namespace of the pod; undefined while it was not made, empty where none is needed. */
export function nameOfDeviceClaim({ status }: Pod, { name, resourceClaimName }: PodResourceClaim): string | undefined {
  if (resourceClaimName !== undefined) return resourceClaimName;
  const made = status?.resourceClaimStatuses?.find((each) => each.name === name);
  return made === undefined ? undefined : (made.resourceClaimName ?? '');
}
