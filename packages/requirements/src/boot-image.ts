import { oncePerObject, type StatusAmi } from '@nodewright/apis';
import { isCompatible } from './compatibility.ts';
import { parseRequirements } from './requirement-set.ts';
import type { Requirements } from './requirements.ts';

const compatibleTypes = oncePerObject((ami: StatusAmi): Requirements => parseRequirements(ami.requirements));

/**
 * The image that an instance type boots: the first in order whose requirements the type meets. A
 * label that the type does not define counts as absent.
 * @param images `status.amis`, in their order
 */
export const selectBootImage = (
  type: { readonly requirements: Requirements },
  images: readonly StatusAmi[],
): StatusAmi | undefined => images.find((image) => isCompatible(type.requirements, compatibleTypes(image)));
