import { validateBuiltin } from '../builtin/validate.ts';
import { builtinWarnings } from '../builtin/warnings.ts';
import { defaultBuiltin } from '../builtin/defaults.ts';
import type { Cause } from '../schema/cause.ts';
import { applyDefaults, dropNulls } from '../schema/defaults.ts';
import type { JsonObject } from '../schema/json.ts';
import { pruneUnknown } from '../schema/prune.ts';
import { checkScaleCount } from '../schema/checks/check-scale.ts';
import { beforeUncheckedRules, validateCustomResource } from '../schema/validate.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ObjectVerdict, Resource } from './resource.ts';

/** The object without unknown members, and the paths of these members. */
export function pruneObject(resource: Resource, object: ApiObject): { object: ApiObject; unknown: readonly string[] } {
  if (resource.schema === undefined) return { object, unknown: [] };
  const { value, unknown } = pruneUnknown(resource.schema, asJson(object));
  return { object: asApiObject(value), unknown };
}

/** The object with the defaults of its kind. */
export function fillDefaults(resource: Resource, object: ApiObject): ApiObject {
  if (resource.custom === undefined) return asApiObject(defaultBuiltin(resource, asJson(object)));
  const { schema } = resource.custom;
  return schema === undefined ? object : asApiObject(dropNulls(schema, applyDefaults(schema, asJson(object))));
}

type ValidatedObject = {
  readonly object: ApiObject;
  readonly old?: ApiObject | undefined;
  readonly subresource?: string;
  /** Whether the number at a path came as a float such as `2.0`. */
  readonly isFloat?: (path: string) => boolean;
};

/** Validates an object by its schema and by the checks of its kind. */
export function validateObject(
  resource: Resource,
  { object, old, subresource, isFloat }: ValidatedObject,
): ObjectVerdict {
  const before = old && { old: asJson(old) };
  if (resource.custom === undefined) {
    const causes = validateBuiltin({
      type: resource,
      object: asJson(object),
      ...before,
      ...(subresource !== undefined && subresource !== '' && { subresource }),
    });
    const isObjectItself = subresource === undefined || subresource === '';
    const warnings =
      causes.length > 0 || !isObjectItself
        ? []
        : builtinWarnings({ type: resource, object: asJson(object), ...before });
    return { causes, warnings };
  }
  const { schema } = resource.custom;
  if (schema === undefined) return { causes: [], warnings: [] };
  const isStatus = subresource === 'status';
  const other = object.kind === resource.kind ? [] : [otherKind(object.kind, resource.kind)];
  const verdict = validateCustomResource({
    schema,
    value: asJson(object),
    ...before,
    ...(isStatus && { subresource }),
  });
  const [checked, unchecked] = beforeUncheckedRules(verdict.causes);
  const causes = [...other, ...checked, ...scaleCauses(resource, object, { isStatus, isFloat }), ...unchecked];
  const { judge } = resource.custom;
  if (judge === undefined || isStatus || causes.length > 0) return { ...verdict, causes };
  const judged = judge(object);
  return { causes: judged.causes, warnings: [...verdict.warnings, ...judged.warnings] };
}

const otherKind = (found: string, expected: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(found)}: must be ${expected}`,
  field: 'kind',
});

/** The members that the scale subresource reads must be counts. */
function scaleCauses(
  { custom }: Resource,
  object: ApiObject,
  { isStatus, isFloat }: { readonly isStatus: boolean; readonly isFloat: ValidatedObject['isFloat'] },
): Cause[] {
  if (custom?.scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath } = custom.scale;
  return checkScaleCount(asJson(object), isStatus ? statusReplicasPath : specReplicasPath, isFloat);
}

/** Stored objects are JSON by construction; the schema functions have the type for it. */
export const asJson = (object: ApiObject): JsonObject => object as unknown as JsonObject;

export const asApiObject = (value: unknown): ApiObject => value as ApiObject;
