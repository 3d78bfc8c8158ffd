import { toTimestamp } from '@nodewright/apis';
import { changeEachItem, changeMember, fillIn } from '../../builtin/fill.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ObjectCall, ServerContext } from '../world.ts';

/** Adds the fields that the server sets on new objects of some kinds, besides defaults. */
export function prepareForCreate(world: ServerContext, { resource }: ObjectCall, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return newDefinition(object);
    case 'resourceslices.resource.k8s.io':
      return withTimesOfTaints(world, object);
    default:
      return object;
  }
}

/** A taint of a device that does not say since when it is there begins now. */
export const withTimesOfTaints = ({ clock }: Pick<ServerContext, 'clock'>, slice: ApiObject): ApiObject =>
  asApiObject(
    changeMember(asJson(slice), 'spec', (spec) =>
      changeEachItem(spec, 'devices', (device) =>
        changeEachItem(device, 'taints', (taint) => fillIn(taint, { timeAdded: toTimestamp(clock.now()) })),
      ),
    ),
  );

type Versions = { readonly versions?: readonly { readonly name: string; readonly storage: boolean }[] };

function newDefinition(object: ApiObject): ApiObject {
  const storage = ((object['spec'] as Versions | undefined)?.versions ?? []).find((version) => version.storage);
  const status = {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storage === undefined ? [] : [storage.name],
  };
  return { ...object, status };
}
