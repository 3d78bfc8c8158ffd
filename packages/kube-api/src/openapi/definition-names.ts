import { openApiDefinitions } from '../schema/definitions.ts';
import { textOrEmpty } from '../http/go-values.ts';
import type { Resource } from '../resources/resource.ts';
import { isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';

/** The prefix of references in a version 3 document. */
export const schemaPrefix = '#/components/schemas/';

let knownDefinitions: JsonObject | undefined;

/** All built-in definitions, with references in the form of version 3. */
export const builtInDefinitions = (): JsonObject => (knownDefinitions ??= openApiDefinitions(schemaPrefix));

type KindType = { readonly group: string; readonly version: string; readonly kind: string };

/** The name of a kind's definition: `io.k8s.api.apps.v1.Deployment`, or the reversed group of a custom kind. */
export function definitionName(resource: Resource, kind = resource.kind): string {
  if (resource.custom !== undefined) return customName({ ...resource, kind });
  return builtInName({ ...resource, kind }) ?? customName({ ...resource, kind });
}

const customName = ({ group, version, kind }: KindType): string =>
  `${group.split('.').toReversed().join('.')}.${version}.${kind}`;

let definitionNames: ReadonlyMap<string, string> | undefined;

/** The name of the built-in definition of a kind. */
export function builtInName(type: KindType): string | undefined {
  definitionNames ??= new Map(
    Object.entries(builtInDefinitions()).flatMap(([name, definition]) => listTypes(name, definition)),
  );
  return definitionNames.get(`${type.group}/${type.version}/${type.kind}`);
}

const listTypes = (name: string, definition: JsonValue): [string, string][] => {
  const types = memberOf(definition, 'x-kubernetes-group-version-kind');
  return (Array.isArray(types) ? types : [])
    .filter(isObject)
    .map(({ group, version, kind }) => [`${textOrEmpty(group)}/${textOrEmpty(version)}/${textOrEmpty(kind)}`, name]);
};
