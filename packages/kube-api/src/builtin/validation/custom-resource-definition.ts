import { validateLetterLabel, validateSubdomain, type NameRule } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { valueAtPath, isObject, type JsonObject, type JsonValue, memberOf, jsonTextAt } from '../../schema/json.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  jsonTextsIn,
  lengthOfList,
  validateChoice,
  validateImmutable,
  validateNamed,
  validatePresence,
} from './checks.ts';
import { definitionSchemaCauses } from './custom-resource-schema.ts';
import { statusRootCauses } from './schema-structure.ts';
import { reviewVersionCauses, webhookClientCauses } from './webhook-client.ts';

/** The problems of a CustomResourceDefinition. */
export function definitionCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...definitionNameCauses(object, old === undefined),
    ...approvalCauses(object),
    ...(jsonTextAt(spec, 'scope') === ''
      ? [requiredCause('spec.scope')]
      : validateChoice('spec.scope', memberOf(spec, 'scope'), ['Cluster', 'Namespaced'])),
    ...versionCauses(object),
    ...conversionCauses(memberOf(spec, 'conversion')),
    ...(memberOf(spec, 'preserveUnknownFields') === true
      ? [invalidCause('spec.preserveUnknownFields', true, preservedFieldsCause)]
      : []),
    ...(old === undefined ? [] : definitionChangeCauses(object, old)),
    ...storedVersionCauses(object),
  ];
}

const preservedFieldsCause =
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';

function definitionNameCauses(object: JsonObject, isNew: boolean): Cause[] {
  const names = valueAtPath(object, 'spec', 'names');
  const name = jsonTextAt(object, 'metadata', 'name');
  const prefix = jsonTextAt(object, 'metadata', 'generateName');
  const group = jsonTextAt(object, 'spec', 'group');
  const wanted = `${jsonTextAt(names, 'plural')}.${jsonTextAt(object, 'spec', 'group')}`;
  const label = (field: string, text: string, rule: NameRule): Cause[] =>
    text === ''
      ? [requiredCause(`spec.names.${field}`)]
      : rule(text).map((detail) => invalidCause(`spec.names.${field}`, text, detail));
  return [
    ...(isNew && prefix !== '' && prefix !== wanted
      ? [invalidCause('metadata.generateName', prefix, 'must be spec.names.plural+"."+spec.group')]
      : []),
    ...(name === wanted || name === '' || !isNew
      ? []
      : [invalidCause('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...(group === ''
      ? [requiredCause('spec.group')]
      : group.includes('.')
        ? validateNamed('spec.group', group, validateSubdomain)
        : [invalidCause('spec.group', group, 'should be a domain with at least one dot')]),
    ...label('plural', jsonTextAt(names, 'plural'), validateLetterLabel),
    ...label('singular', jsonTextAt(names, 'singular'), validateLetterLabel),
    ...['kind', 'listKind'].flatMap((key) =>
      label(key, jsonTextAt(names, key), (text) => validateLetterLabel(text.toLowerCase())),
    ),
    ...furtherNameCauses(names, 'spec.names'),
    ...(jsonTextAt(names, 'kind') !== '' && jsonTextAt(names, 'kind') === jsonTextAt(names, 'listKind')
      ? [invalidCause('spec.names.listKind', jsonTextAt(names, 'listKind'), 'kind and listKind may not be the same')]
      : []),
  ];
}

const furtherNameCauses = (names: JsonValue | undefined, field: string): Cause[] =>
  ['shortNames', 'categories'].flatMap((key) =>
    checkEachText(memberOf(names, key), `${field}.${key}`, (name, place) =>
      validateNamed(place, name, validateLetterLabel),
    ),
  );

const approvalAnnotation = 'api-approved.kubernetes.io';

/** A group of the Kubernetes project needs an approval annotation. */
function approvalCauses(object: JsonObject): Cause[] {
  const group = jsonTextAt(object, 'spec', 'group');
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || jsonTextAt(object, 'metadata', 'annotations', approvalAnnotation) !== '') return [];
  const detail = `protected groups must have approval annotation "${approvalAnnotation}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [requiredCause(`metadata.annotations[${approvalAnnotation}]`, detail)];
}

function versionCauses(object: JsonObject): Cause[] {
  const versions = jsonObjectsIn(valueAtPath(object, 'spec', 'versions'));
  const stored = versions.filter((version) => version['storage'] === true);
  return [
    ...versions.flatMap((version, index) => oneVersion(version, { index, isOnly: versions.length === 1 })),
    ...firstVersionCauses(jsonTextAt(versions[0], 'name')),
    ...(stored.length === 1
      ? []
      : [
          invalidCause(
            'spec.versions',
            versions.length === 0 ? null : versions.map(printedVersion),
            'must have exactly one version marked as storage version',
          ),
        ]),
  ];
}

/** Kubernetes also reports the name of the first version as the only version that there was once. */
const firstVersionCauses = (name: string): Cause[] =>
  name === '' ? [] : validateNamed('spec.version', name, validateLetterLabel);

function oneVersion(version: JsonObject, { index, isOnly }: { index: number; isOnly: boolean }): Cause[] {
  const name = jsonTextAt(version, 'name');
  const schema = valueAtPath(version, 'schema', 'openAPIV3Schema');
  const place = `spec.versions[${index}]`;
  const schemaPlace = isOnly ? 'spec.validation.openAPIV3Schema' : `${place}.schema.openAPIV3Schema`;
  return [
    ...validateLetterLabel(name).map((detail) => invalidCause(`${place}.name`, name, detail)),
    ...(isObject(schema)
      ? [
          ...(isObject(valueAtPath(version, 'subresources', 'status')) ? statusRootCauses(schema, schemaPlace) : []),
          ...definitionSchemaCauses(schema, schemaPlace),
        ]
      : [requiredCause(`${place}.schema.openAPIV3Schema`)]),
    ...checkEachItem(version, 'additionalPrinterColumns', isOnly ? 'spec' : place, columnCauses),
    ...checkEachItem(version, 'selectableFields', isOnly ? 'spec' : place, selectableCauses),
    ...checkMember(version, 'subresources', isOnly ? 'spec' : place, (subresources, field) =>
      checkMember(subresources, 'scale', field, scaleOfDefinitionCauses),
    ),
    ...(typeof version['deprecationWarning'] === 'string' && version['deprecated'] !== true
      ? [
          invalidCause(
            `${place}.deprecationWarning`,
            version['deprecationWarning'],
            'can only be set for deprecated versions',
          ),
        ]
      : []),
  ];
}

function selectableCauses(selectable: JsonObject, field: string): Cause[] {
  const path = jsonTextAt(selectable, 'jsonPath');
  const place = `${field}.jsonPath`;
  if (path === '') return [requiredCause(place)];
  return /^[.[]/.test(path) ? [] : [invalidCause(place, path, `is an invalid path: expected [ or . but got: ${path}`)];
}

/** Where the numbers of a scale are, and below which member they have to be. */
function scaleOfDefinitionCauses(scale: JsonObject, field: string): Cause[] {
  return [
    ...scalePathCauses(scale, `${field}.specReplicasPath`, ['.spec.']),
    ...scalePathCauses(scale, `${field}.statusReplicasPath`, ['.status.']),
    ...(jsonTextAt(scale, 'labelSelectorPath') === ''
      ? []
      : scalePathCauses(scale, `${field}.labelSelectorPath`, ['.spec.', '.status.'])),
  ];
}

function scalePathCauses(scale: JsonObject, field: string, below: readonly string[]): Cause[] {
  const path = jsonTextAt(scale, field.slice(field.lastIndexOf('.') + 1));
  if (path === '') return [requiredCause(field)];
  if (!path.startsWith('.')) return [invalidCause(field, path, 'must be a simple json path starting with .')];
  const names = below.map((start) => start.slice(0, -1));
  const because =
    names.length === 1
      ? `should be a json path under ${names[0]}`
      : `should be a json path under either ${names.join(' or ')}`;
  return below.some((start) => path.startsWith(start)) ? [] : [invalidCause(field, path, because)];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

const columnFormats = ['', 'byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnCauses(column: JsonObject, field: string): Cause[] {
  const [type, path] = [jsonTextAt(column, 'type'), jsonTextAt(column, 'jsonPath')];
  const detail = `must be one of ${columnTypes.join(',')}`;
  return [
    ...validatePresence(`${field}.name`, column['name']),
    ...(type === ''
      ? [requiredCause(`${field}.type`, detail)]
      : columnTypes.includes(type)
        ? []
        : [invalidCause(`${field}.type`, type, detail)]),
    ...(columnFormats.includes(jsonTextAt(column, 'format'))
      ? []
      : [
          invalidCause(
            `${field}.format`,
            jsonTextAt(column, 'format'),
            `must be one of ${columnFormats.slice(1).join(',')}`,
          ),
        ]),
    ...(path === ''
      ? [requiredCause(`${field}.JSONPath`)]
      : path.startsWith('.')
        ? []
        : [invalidCause(`${field}.JSONPath`, path, 'must be a simple json path starting with .')]),
  ];
}

/** A conversion by a webhook says where the webhook is, and which reviews it reads. */
function conversionCauses(conversion: JsonValue | undefined): Cause[] {
  const strategy = jsonTextAt(conversion, 'strategy');
  const field = 'spec.conversion';
  if (strategy === '') return conversion === undefined ? [] : [requiredCause(`${field}.strategy`)];
  if (strategy !== 'Webhook')
    return [
      ...(strategy === 'None' ? [] : [notSupportedCause(`${field}.strategy`, strategy, ['None', 'Webhook'])]),
      ...webhookMemberCauses(conversion, field),
    ];
  const client = valueAtPath(conversion, 'webhook', 'clientConfig');
  const versions = valueAtPath(conversion, 'webhook', 'conversionReviewVersions');
  return [
    ...(client === undefined
      ? [requiredCause(`${field}.webhookClientConfig`, 'required when strategy is set to Webhook')]
      : webhookClientCauses(client, `${field}.webhookClientConfig`)),
    ...(lengthOfList(versions) === 0
      ? [requiredCause(`${field}.conversionReviewVersions`)]
      : reviewVersionCauses(versions, `${field}.conversionReviewVersions`)),
  ];
}

/** Without the strategy, nothing says where a webhook is. */
const webhookMemberCauses = (conversion: JsonValue | undefined, field: string): Cause[] =>
  [
    ['clientConfig', 'webhookClientConfig'],
    ['conversionReviewVersions', 'conversionReviewVersions'],
  ]
    .filter(([key = '']) => {
      const value = valueAtPath(conversion, 'webhook', key);
      return Array.isArray(value) ? value.length > 0 : isObject(value);
    })
    .map(([, printed]) =>
      forbiddenCause(`${field}.${printed}`, 'should not be set when strategy is not set to Webhook'),
    );

/** The problems of the status of a definition: the names that are in use. */
export function definitionStatusCauses(object: JsonObject): Cause[] {
  const names = memberOf(object['status'], 'acceptedNames');
  const check = (key: string): Cause[] => {
    const text = jsonTextAt(names, key);
    return text === '' ? [] : validateNamed(`status.acceptedNames.${key}`, text.toLowerCase(), validateLetterLabel);
  };
  const [kind, listKind] = [jsonTextAt(names, 'kind'), jsonTextAt(names, 'listKind')];
  return [
    ...['plural', 'singular', 'kind', 'listKind'].flatMap(check),
    ...furtherNameCauses(names, 'status.acceptedNames'),
    ...(kind !== '' && kind === listKind
      ? [invalidCause('status.acceptedNames.listKind', listKind, 'kind and listKind may not be the same')]
      : []),
  ];
}

/** The versions in which objects are stored have to be among those of the definition. */
function storedVersionCauses(object: JsonObject): Cause[] {
  const field = 'status.storedVersions';
  const versions = jsonObjectsIn(valueAtPath(object, 'spec', 'versions'));
  const stored = jsonTextsIn(valueAtPath(object, 'status', 'storedVersions'));
  if (stored.length === 0) return [invalidCause(field, null, 'must have at least one stored version')];
  const names = new Set(versions.map((version) => jsonTextAt(version, 'name')));
  return [
    ...versions
      .filter((version) => version['storage'] === true && !stored.includes(jsonTextAt(version, 'name')))
      .map((version) =>
        invalidCause(field, [...stored], `must have the storage version ${jsonTextAt(version, 'name')}`),
      ),
    ...stored.flatMap((name, index) =>
      names.has(name) ? [] : [invalidCause(`${field}[${index}]`, name, missingVersion(name))],
    ),
  ];
}

const missingVersion = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;

const printedVersion = (version: JsonObject): JsonObject => ({
  Name: jsonTextAt(version, 'name'),
  Served: version['served'] === true,
  Storage: version['storage'] === true,
  Deprecated: version['deprecated'] === true,
  DeprecationWarning: null,
  Schema: null,
  Subresources: null,
  AdditionalPrinterColumns: null,
  SelectableFields: null,
});

/** The identity of a kind stays; its scope and its name stay from the moment at which it is served. */
function definitionChangeCauses(object: JsonObject, old: JsonObject): Cause[] {
  const isServed = jsonObjectsIn(valueAtPath(old, 'status', 'conditions')).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const kept = [...(isServed ? [['scope'], ['names', 'kind']] : []), ['group'], ['names', 'plural']];
  return kept.flatMap((path) =>
    validateImmutable(
      ['spec', ...path].join('.'),
      valueAtPath(old, 'spec', ...path),
      valueAtPath(object, 'spec', ...path),
    ),
  );
}
