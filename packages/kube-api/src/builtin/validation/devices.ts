import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { annotationCauses, labelCauses } from '../../schema/metadata/check-metadata.ts';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  lengthOfList,
  membersOf,
  validateChoice,
  validateNamed,
} from './checks.ts';
import { isExtendedResource } from './container-resources.ts';
import { qualifiedDeviceNameCauses, selectorExpressionCauses } from './device-names.ts';
import { driverNameCauses } from './storage-kinds.ts';

/** The problems of a ResourceClaim, whose devices never change. */
export function resourceClaimCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  return old === undefined ? claimedDeviceCauses(spec, 'spec') : fixedSpecCauses(object, old);
}

/** The problems of a ResourceClaimTemplate, which never changes. */
export function claimTemplateCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  return [
    ...labelledMetadataCauses(memberOf(memberOf(object, 'spec'), 'metadata'), 'spec.metadata'),
    ...claimedDeviceCauses(memberOf(memberOf(object, 'spec'), 'spec'), 'spec.spec'),
    ...fixedSpecCauses(object, old),
  ];
}

/** The problems of the metadata of a template of claims: it has labels and annotations alone. */
export const labelledMetadataCauses = (metadata: JsonValue | undefined, field: string): Cause[] => [
  ...annotationCauses(memberOf(metadata, 'annotations'), `${field}.annotations`),
  ...labelCauses(memberOf(metadata, 'labels'), `${field}.labels`),
  ...membersOf(metadata)
    .filter(
      ([key, value]) => key !== 'labels' && key !== 'annotations' && value !== null && value !== '' && value !== 0,
    )
    .map(([key]) => forbiddenCause(`${field}.${key === 'uid' ? 'uID' : key}`, 'cannot be set')),
];

function fixedSpecCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  return old === undefined || isEqualJson(memberOf(old, 'spec'), spec)
    ? []
    : [invalidCause('spec', spec ?? null, 'field is immutable')];
}

function claimedDeviceCauses(spec: JsonValue | undefined, field: string): Cause[] {
  const devices = memberOf(spec, 'devices');
  const requests = jsonObjectsIn(memberOf(devices, 'requests'));
  const names = new Set(requests.flatMap(namesOfRequest));
  const place = `${field}.devices`;
  const seen = new Set<string>();
  return [
    ...checkEachItem(devices, 'requests', place, (request, inner) => {
      const name = jsonTextAt(request, 'name');
      const isRepeated = seen.has(name);
      seen.add(name);
      return [...deviceRequestCauses(request, inner), ...(isRepeated ? [duplicateCause(inner, name)] : [])];
    }),
    ...checkEachItem(devices, 'constraints', place, (constraint, inner) => constraintCauses(constraint, inner, names)),
    ...checkEachItem(devices, 'config', place, (config, inner) => [
      ...requestNameCauses(config, inner, names),
      ...opaqueCauses(config, inner),
    ]),
  ];
}

/** How configurations and results may name a request: it has subrequests. */
export function namesOfRequest(request: JsonObject): string[] {
  const name = jsonTextAt(request, 'name');
  const inner = jsonObjectsIn(request['firstAvailable']).map((sub) => `${name}/${jsonTextAt(sub, 'name')}`);
  return [name, ...inner];
}

const oneOfRequest = 'exactly one of `exactly` or `firstAvailable` is required';

function deviceRequestCauses(request: JsonObject, field: string): Cause[] {
  const hasExact = isObject(request['exactly']);
  const count = lengthOfList(request['firstAvailable']);
  return [
    ...validateNamed(`${field}.name`, jsonTextAt(request, 'name'), validateDnsLabel),
    ...(hasExact && count > 0 ? [invalidCause(field, null, `${oneOfRequest}, but multiple fields are set`)] : []),
    ...(hasExact || count > 0 ? [] : [requiredCause(field, oneOfRequest)]),
    ...(hasExact && count > 0 ? [] : checkMember(request, 'exactly', field, oneDeviceCauses)),
    ...(hasExact ? [] : subRequestCauses(request, field)),
  ];
}

const mostSubRequests = 8;

function subRequestCauses(request: JsonObject, field: string): Cause[] {
  const seen = new Set<string>();
  const count = lengthOfList(request['firstAvailable']);
  return [
    ...(count > mostSubRequests
      ? [
          {
            reason: 'FieldValueTooMany' as const,
            message: `Too many: ${count}: must have at most ${mostSubRequests} items`,
            field: `${field}.firstAvailable`,
          },
        ]
      : []),
    ...checkEachItem(request, 'firstAvailable', field, (sub, place) => {
      const name = jsonTextAt(sub, 'name');
      const isRepeated = seen.has(name);
      seen.add(name);
      return [
        ...validateNamed(`${place}.name`, name, validateDnsLabel),
        ...oneDeviceCauses(sub, place),
        ...(isRepeated ? [duplicateCause(place, name)] : []),
      ];
    }),
  ];
}

function oneDeviceCauses(request: JsonObject, field: string): Cause[] {
  const mode = jsonTextAt(request, 'allocationMode');
  const { count = 0 } = request;
  return [
    ...(jsonTextAt(request, 'deviceClassName') === ''
      ? [requiredCause(`${field}.deviceClassName`)]
      : validateNamed(`${field}.deviceClassName`, jsonTextAt(request, 'deviceClassName'), validateSubdomain)),
    ...checkEachItem(request, 'selectors', field, selectorOfDevicesCauses),
    ...(mode === 'All' && count !== 0
      ? [invalidCause(`${field}.count`, count, "must not be specified when allocationMode is 'All'")]
      : []),
    ...(mode === 'ExactCount' && typeof count === 'number' && count <= 0
      ? [invalidCause(`${field}.count`, count, 'must be greater than zero')]
      : []),
    ...(mode === '' ? [] : validateChoice(`${field}.allocationMode`, mode, ['All', 'ExactCount'])),
    ...checkEachItem(request, 'tolerations', field, deviceTolerationCauses),
  ];
}

/** A selector of devices is an expression. */
export const selectorOfDevicesCauses = (selector: JsonObject, field: string): Cause[] =>
  isObject(selector['cel'])
    ? selectorExpressionCauses(jsonTextAt(selector['cel'], 'expression'), `${field}.cel.expression`)
    : [requiredCause(`${field}.cel`)];

function deviceTolerationCauses(toleration: JsonObject, field: string): Cause[] {
  const [key, value, effect] = ['key', 'value', 'effect'].map((name) => jsonTextAt(toleration, name)) as [
    string,
    string,
    string,
  ];
  const operator = jsonTextAt(toleration, 'operator') || 'Equal';
  return [
    ...(key === '' ? [] : validateNamed(`${field}.key`, key, validateQualifiedName)),
    ...(operator === 'Exists' && value !== ''
      ? [invalidCause(`${field}.value`, value, 'must be empty for operator `Exists`')]
      : []),
    ...(operator === 'Equal' && value !== '' && !/^([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/.test(value)
      ? [invalidCause(`${field}.value`, value, 'must be a valid label value')]
      : []),
    ...validateChoice(`${field}.operator`, operator, ['Equal', 'Exists']),
    ...(effect === '' ? [] : validateChoice(`${field}.effect`, effect, ['NoExecute', 'NoSchedule', 'None'])),
  ];
}

function constraintCauses(constraint: JsonObject, field: string, names: ReadonlySet<string>): Cause[] {
  const keys = ['matchAttribute', 'distinctAttribute'].filter((key) => memberOf(constraint, key) !== undefined);
  return [
    ...requestNameCauses(constraint, field, names),
    ...keys.flatMap((key) => qualifiedDeviceNameCauses(jsonTextAt(constraint, key), `${field}.${key}`)),
    ...(keys.length === 1
      ? []
      : keys.length === 0
        ? [
            requiredCause(
              field,
              'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
            ),
          ]
        : [
            invalidCause(
              field,
              null,
              'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
            ),
          ]),
  ];
}

export const unknownRequestProblem =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** The problems of a list of requests: each of them is one of the claim. */
export function requestNameCauses(object: JsonObject, field: string, names: ReadonlySet<string>): Cause[] {
  const seen = new Set<string>();
  return checkEachText(object['requests'], `${field}.requests`, (name, place) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(names.has(name) ? [] : [invalidCause(place, name, unknownRequestProblem)]),
      ...(isRepeated ? [duplicateCause(place, name)] : []),
    ];
  });
}

/** The problems of a configuration that a driver reads. */
export function opaqueCauses(config: JsonObject, field: string): Cause[] {
  const opaque = config['opaque'];
  if (!isObject(opaque)) return [requiredCause(`${field}.opaque`)];
  return [
    ...driverNameCauses(`${field}.opaque.driver`, jsonTextAt(opaque, 'driver')),
    ...(opaque['parameters'] === undefined
      ? [requiredCause(`${field}.opaque.parameters`)]
      : isObject(opaque['parameters'])
        ? []
        : [invalidCause(`${field}.opaque.parameters`, '<value omitted>', 'must be a valid JSON object')]),
  ];
}

/** The problems of a DeviceClass. */
export function deviceClassCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const resource = memberOf(spec, 'extendedResourceName');
  return [
    ...checkEachItem(spec, 'selectors', 'spec', selectorOfDevicesCauses),
    ...checkEachItem(spec, 'config', 'spec', opaqueCauses),
    ...(typeof resource === 'string' && (!isExtendedResource(resource) || validateQualifiedName(resource).length > 0)
      ? [invalidCause('spec.extendedResourceName', resource, 'must be a valid extended resource name')]
      : []),
  ];
}
