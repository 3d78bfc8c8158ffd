import type { CreateNodegroupRequest } from '@aws-sdk/client-eks';
import { typeNamed } from '../../catalogue/catalogue.ts';
import { type GroupPlace, invalidParameter } from '../errors.ts';
import { type AmiType, findReleaseLine } from './ami-types.ts';
import { checkKind } from './check-upkeep.ts';

const mostGroupTypes = 20;
const mostGroupTags = 50;
const groupCapacityTypes = ['ON_DEMAND', 'SPOT', 'CAPACITY_BLOCK'];

/** What a request says about its machines, whatever the image. @throws AwsError */
export function checkMachines(request: CreateNodegroupRequest, place: GroupPlace): void {
  const { instanceTypes = [], capacityType, diskSize, tags = {} } = request;
  checkKind('capacityType', capacityType, groupCapacityTypes, place);
  if (instanceTypes.length > mostGroupTypes)
    throw invalidParameter(place, `instanceTypes: ${instanceTypes.length} given, ${mostGroupTypes} are allowed`);
  if (diskSize !== undefined && diskSize < 1)
    throw invalidParameter(place, `diskSize is ${diskSize}, must be 1 GiB or more`);
  if (Object.keys(tags).length > mostGroupTags)
    throw invalidParameter(place, `tags: ${Object.keys(tags).length} given, ${mostGroupTags} are allowed`);
}

/** Checks the types that a request names; those of a template show in the health of the group later. @throws AwsError */
export function checkTypesExist(types: readonly string[], place: GroupPlace): void {
  const unknown = types.filter((name) => typeNamed(name) === undefined);
  if (unknown.length === 0) return;
  throw invalidParameter(place, `The following supplied instance types do not exist: [${unknown.join(', ')}]`);
}

/** Checks that the image boots on the types. @throws AwsError */
export function checkTypesArchitecture(types: readonly string[], amiType: AmiType, place: GroupPlace): void {
  const arch = findReleaseLine(amiType)?.arch;
  const unfit = types.filter((name) => arch !== undefined && (typeNamed(name)?.arch ?? arch) !== arch);
  if (unfit.length === 0) return;
  throw invalidParameter(place, `[${unfit.join(', ')}] is not a valid instance type for requested amiType ${amiType}`);
}
