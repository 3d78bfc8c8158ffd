import { validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkEachItem, checkMember, validateNamed, validatePresence } from './checks.ts';
import { configKeyProblems } from './data.ts';

/** The problems of the environment of a container. */
export const environmentCauses = (container: JsonObject, field: string): Cause[] => [
  ...checkEachItem(container, 'env', field, variableCauses),
  ...checkEachItem(container, 'envFrom', field, envFromCauses),
];

const nameProblem = "a valid environment variable name must consist only of printable ASCII characters other than '='";

function variableCauses(variable: JsonObject, field: string): Cause[] {
  const name = jsonTextAt(variable, 'name');
  return [
    ...(name === ''
      ? [requiredCause(`${field}.name`)]
      : /^[ -<>-~]+$/.test(name)
        ? []
        : [invalidCause(`${field}.name`, name, nameProblem)]),
    ...checkMember(variable, 'valueFrom', field, (source, place) => [
      ...valueSourceCauses(source, place),
      ...(jsonTextAt(variable, 'value') === ''
        ? []
        : [invalidCause(place, '', 'may not be specified when `value` is not empty')]),
    ]),
  ];
}

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function valueSourceCauses(source: JsonObject, field: string): Cause[] {
  const present = valueSources.filter((key) => memberOf(source, key) !== undefined);
  return [
    ...checkMember(source, 'fieldRef', field, (item, place) =>
      validatePresence(`${place}.fieldPath`, item['fieldPath']),
    ),
    ...checkMember(source, 'resourceFieldRef', field, (item, place) =>
      validatePresence(`${place}.resource`, item['resource']),
    ),
    ...['configMapKeyRef', 'secretKeyRef'].flatMap((key) => checkMember(source, key, field, keyReferenceCauses)),
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
    ...validatePresence(`${field}.name`, reference['name']),
    ...(key === '' ? [requiredCause(`${field}.key`)] : validateNamed(`${field}.key`, key, configKeyProblems)),
  ];
}

function envFromCauses(source: JsonObject, field: string): Cause[] {
  const present = ['configMapRef', 'secretRef'].filter((key) => memberOf(source, key) !== undefined);
  const prefix = jsonTextAt(source, 'prefix');
  const listField = field.replace(/\[\d+\]$/, '');
  return [
    ...(prefix === '' || /^[ -<>-~]+$/.test(prefix) ? [] : [invalidCause(`${field}.prefix`, prefix, nameProblem)]),
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
