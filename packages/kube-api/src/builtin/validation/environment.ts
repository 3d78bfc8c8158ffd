import { validateDnsLabel, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkEachItem, checkMember, validateNamed } from './checks.ts';
import { notFoundCause } from './container-parts.ts';
import { configKeyProblems } from './data.ts';
import { amountReferenceCauses, fieldReferenceCauses, variableFields } from './downward-fields.ts';
import { backstepCauses } from './volume-sources.ts';

/** The problems of the environment of a container. */
export const environmentCauses = (
  container: JsonObject,
  field: string,
  volumes: ReadonlySet<string> = new Set(),
): Cause[] => [
  ...checkEachItem(container, 'env', field, (variable, place) => variableCauses(variable, place, volumes)),
  ...checkEachItem(container, 'envFrom', field, envFromCauses),
];

const printableName = /^[ -<>-~]+$/;
const nameProblem = "a valid environment variable name must consist only of printable ASCII characters other than '='";

function variableCauses(variable: JsonObject, field: string, volumes: ReadonlySet<string>): Cause[] {
  const name = jsonTextAt(variable, 'name');
  return [
    ...(name === ''
      ? [requiredCause(`${field}.name`)]
      : printableName.test(name)
        ? []
        : [invalidCause(`${field}.name`, name, nameProblem)]),
    ...checkMember(variable, 'valueFrom', field, (source, place) => [
      ...valueSourceCauses(source, place, volumes),
      ...(jsonTextAt(variable, 'value') === ''
        ? []
        : [invalidCause(place, '', 'may not be specified when `value` is not empty')]),
    ]),
  ];
}

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function valueSourceCauses(source: JsonObject, field: string, volumes: ReadonlySet<string>): Cause[] {
  const present = valueSources.filter((key) => memberOf(source, key) !== undefined);
  return [
    ...checkMember(source, 'fieldRef', field, (item, place) => fieldReferenceCauses(item, place, variableFields)),
    ...checkMember(source, 'resourceFieldRef', field, (item, place) =>
      amountReferenceCauses(item, place, { isFile: false }),
    ),
    ...['configMapKeyRef', 'secretKeyRef'].flatMap((key) => checkMember(source, key, field, keyReferenceCauses)),
    ...checkMember(source, 'fileKeyRef', field, (item, place) => fileReferenceCauses(item, place, volumes)),
    ...(present.length === 0
      ? [
          invalidCause(
            field,
            '',
            'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
          ),
        ]
      : []),
    ...(present.length > 1 ? [invalidCause(field, '', 'may not have more than one field specified at a time')] : []),
  ];
}

function keyReferenceCauses(reference: JsonObject, field: string): Cause[] {
  const key = jsonTextAt(reference, 'key');
  return [
    ...validateNamed(`${field}.name`, jsonTextAt(reference, 'name'), validateSubdomain),
    ...(key === '' ? [requiredCause(`${field}.key`)] : validateNamed(`${field}.key`, key, configKeyProblems)),
  ];
}

function fileReferenceCauses(reference: JsonObject, field: string, volumes: ReadonlySet<string>): Cause[] {
  const [key, volume, path] = ['key', 'volumeName', 'path'].map((name) => jsonTextAt(reference, name)) as [
    string,
    string,
    string,
  ];
  return [
    ...(key === ''
      ? [requiredCause(`${field}.key`)]
      : printableName.test(key)
        ? []
        : [invalidCause(`${field}.key`, key, nameProblem)]),
    ...(volume === ''
      ? [requiredCause(`${field}.volumeName`)]
      : validateNamed(`${field}.volumeName`, volume, validateDnsLabel)),
    ...(path === '' ? [requiredCause(`${field}.path`)] : backstepCauses(path, `${field}.path`)),
    ...(volumes.has(volume) ? [] : [notFoundCause(`${field}.volumeName`, volume)]),
  ];
}

function envFromCauses(source: JsonObject, field: string): Cause[] {
  const present = ['configMapRef', 'secretRef'].filter((key) => memberOf(source, key) !== undefined);
  const prefix = jsonTextAt(source, 'prefix');
  const listField = field.replace(/\[\d+\]$/, '');
  return [
    ...(prefix === '' || printableName.test(prefix) ? [] : [invalidCause(`${field}.prefix`, prefix, nameProblem)]),
    ...present.flatMap((key) =>
      checkMember(source, key, field, (reference, place) => {
        const name = jsonTextAt(reference, 'name');
        return name === '' ? [requiredCause(`${place}.name`)] : validateNamed(`${place}.name`, name, validateSubdomain);
      }),
    ),
    ...(present.length === 0
      ? [invalidCause(listField, '', 'must specify one of: `configMapRef` or `secretRef`')]
      : []),
    ...(present.length > 1
      ? [invalidCause(listField, '', 'may not have more than one field specified at a time')]
      : []),
  ];
}
