import type { StatusAmi } from '@nodewright/apis';
import { isCompatible, requirementsOf } from '@nodewright/requirements';
import type { InstanceType } from '../instance-types/instance-type.ts';

/**
 * The image an instance type boots from: the first in order that is for such types. Labels the
 * type does not define count as absent.
 * @param amis `status.amis`, in their order
 */
export const imageFor = (type: Pick<InstanceType, 'requirements'>, amis: readonly StatusAmi[]): StatusAmi | undefined =>
  amis.find((ami) => isCompatible(type.requirements, requirementsOf(ami.requirements)));
