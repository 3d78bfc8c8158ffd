import { isLetterLabel, type NameRule } from '../../schema/metadata/names.ts';
import { type Cause, invalid, notSupported, required } from '../../schema/cause.ts';
import { at, isObject, type JsonObject, member, textAt } from '../../schema/json.ts';
import { immutable, objectsIn } from './checks.ts';
import { schemaCauses } from './custom-resource-schema.ts';

/** What is wrong with a CustomResourceDefinition. */
export function definitionCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = member(object, 'spec');
  return [
    ...nameCauses(object),
    ...approvalCauses(object),
    ...(textAt(spec, 'scope') === 'Cluster' || textAt(spec, 'scope') === 'Namespaced'
      ? []
      : [notSupported('spec.scope', member(spec, 'scope') ?? '', ['Cluster', 'Namespaced'])]),
    ...versionCauses(object),
    ...(member(spec, 'preserveUnknownFields') === true ? [invalid('spec.preserveUnknownFields', true, preserved)] : []),
    ...(old === undefined ? [] : updateCauses(object, old)),
  ];
}

const preserved =
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';

function nameCauses(object: JsonObject): Cause[] {
  const names = at(object, 'spec', 'names');
  const name = textAt(object, 'metadata', 'name');
  const wanted = `${textAt(names, 'plural')}.${textAt(object, 'spec', 'group')}`;
  const label = (field: string, text: string, rule: NameRule): Cause[] =>
    rule(text).map((detail) => invalid(`spec.names.${field}`, text, detail));
  return [
    ...(name === wanted ? [] : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...label('plural', textAt(names, 'plural'), isLetterLabel),
    ...label('singular', textAt(names, 'singular'), isLetterLabel),
  ];
}

const approval = 'api-approved.kubernetes.io';

/** Groups of the Kubernetes project need its approval. */
function approvalCauses(object: JsonObject): Cause[] {
  const group = textAt(object, 'spec', 'group');
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || textAt(object, 'metadata', 'annotations', approval) !== '') return [];
  const detail = `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [required(`metadata.annotations[${approval}]`, detail)];
}

function versionCauses(object: JsonObject): Cause[] {
  const versions = objectsIn(at(object, 'spec', 'versions'));
  const stored = versions.filter((version) => version['storage'] === true);
  return [
    ...versions.flatMap((version, index) => oneVersion(version, { index, isOnly: versions.length === 1 })),
    ...(stored.length === 1 ? [] : storageCauses(versions, stored)),
  ];
}

function oneVersion(version: JsonObject, { index, isOnly }: { index: number; isOnly: boolean }): Cause[] {
  const name = textAt(version, 'name');
  const schema = at(version, 'schema', 'openAPIV3Schema');
  const place = `spec.versions[${index}]`;
  return [
    ...isLetterLabel(name).map((detail) => invalid(`${place}.name`, name, detail)),
    ...(isObject(schema)
      ? schemaCauses(schema, isOnly ? 'spec.validation.openAPIV3Schema' : `${place}.schema.openAPIV3Schema`)
      : [required(`${place}.schema.openAPIV3Schema`)]),
  ];
}

function storageCauses(versions: readonly JsonObject[], stored: readonly JsonObject[]): Cause[] {
  const first = stored[0];
  const last = stored.at(-1);
  return [
    invalid('spec.versions', versions.map(asPrinted), 'must have exactly one version marked as storage version'),
    first === undefined || last === undefined
      ? invalid('status.storedVersions', null, 'must have at least one stored version')
      : invalid(
          'status.storedVersions',
          [textAt(first, 'name')],
          `must have the storage version ${textAt(last, 'name')}`,
        ),
  ];
}

const asPrinted = (version: JsonObject): JsonObject => ({
  Name: textAt(version, 'name'),
  Served: version['served'] === true,
  Storage: version['storage'] === true,
  Deprecated: version['deprecated'] === true,
  DeprecationWarning: null,
  Schema: null,
  Subresources: null,
  AdditionalPrinterColumns: null,
  SelectableFields: null,
});

function updateCauses(object: JsonObject, old: JsonObject): Cause[] {
  const names = new Set(objectsIn(at(object, 'spec', 'versions')).map((version) => textAt(version, 'name')));
  const stored = at(old, 'status', 'storedVersions');
  return [
    ...['group', 'scope'].flatMap((key) => immutable(`spec.${key}`, at(old, 'spec', key), at(object, 'spec', key))),
    ...immutable('spec.names.kind', at(old, 'spec', 'names', 'kind'), at(object, 'spec', 'names', 'kind')),
    ...(Array.isArray(stored) ? stored : []).flatMap((name, index) =>
      typeof name !== 'string' || names.has(name)
        ? []
        : [invalid(`status.storedVersions[${index}]`, name, stillStored(name))],
    ),
  ];
}

const stillStored = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
