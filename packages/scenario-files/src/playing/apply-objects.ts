import type { EC2NodeClass, KubernetesObject } from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import type { TypedObject } from '../manifests/given-cluster.ts';
import { prepareAccount } from '../world/prepare-account.ts';
import type { TestedWorld } from '../world/tested-world.ts';

/** Objects that the cluster refuses, as it says it. */
export class RefusedObjectError extends Error {
  override readonly name = 'RefusedObjectError';
}

/**
 * Creates objects as kubectl apply does; those that are there are changed.
 * @throws RefusedObjectError with the answer of the API server
 */
export async function applyObjects(
  world: TestedWorld,
  objects: readonly TypedObject[],
  remark: (line: string) => void,
): Promise<void> {
  for (const typed of objects) await createOrChange(world, adaptToAccount(world, typed, remark), remark);
}

function adaptToAccount(world: TestedWorld, typed: TypedObject, remark: (line: string) => void): TypedObject {
  if (typed.type.kind !== 'EC2NodeClass' || world.isRestored) return typed;
  const { sandbox, settings, selectedTags } = world;
  const setup = { aws: sandbox.aws, clusterName: settings.clusterName, selectedTags, remark };
  return { ...typed, object: prepareAccount(typed.object as EC2NodeClass, setup) };
}

async function createOrChange(world: TestedWorld, typed: TypedObject, remark: (line: string) => void): Promise<void> {
  const { object, type, file } = typed;
  const { admin } = world.sandbox;
  const create = (strict: boolean): Promise<KubernetesObject> =>
    world.time.finish(admin.create(type, object, strict ? { fieldValidation: 'Strict' } : {}));
  try {
    await create(true);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isAlreadyThere(error)) return patchStanding(world, typed);
    const unknown = [...error.message.matchAll(/unknown field "([^"]+)"/g)].flatMap(([, field]) => field ?? []);
    if (unknown.length === 0) throw refuseObject(typed, error);
    remark(
      `${file}: ${type.kind} ${object.metadata.name} has unknown fields, which are left out: ${unknown.join(', ')}`,
    );
    await create(false).catch((refused: unknown) => {
      throw refused instanceof ApiError ? refuseObject(typed, refused) : refused;
    });
  }
}

async function patchStanding({ time, sandbox }: TestedWorld, typed: TypedObject): Promise<void> {
  const { object, type } = typed;
  const { name, namespace } = object.metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  try {
    await time.finish(sandbox.admin.patch(type, key, { type: 'merge', patch: object }));
  } catch (error) {
    throw error instanceof ApiError ? refuseObject(typed, error) : error;
  }
}

const isAlreadyThere = ({ code, message }: ApiError): boolean => code === 409 && /already exists/.test(message);

const refuseObject = ({ object, type, file }: TypedObject, { message }: ApiError): RefusedObjectError =>
  new RefusedObjectError(
    `${file}: ${message.includes(object.metadata.name) ? message : `${type.kind} ${object.metadata.name}: ${message}`}`,
  );
