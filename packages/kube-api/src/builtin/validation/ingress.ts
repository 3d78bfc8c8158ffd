import { validateLetterLabel, validatePathSegment, validateSubdomain } from '../../schema/metadata/names.ts';
import { validatePortName } from '../../schema/metadata/port-names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import { isAddress, validateAddress } from './addresses.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  lengthOfList,
  validateNamed,
  validateNameIfPresent,
  validateOptionalName,
  validatePort,
  validateRequiredName,
} from './checks.ts';

/** The problems of an Ingress. */
export function ingressCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const isEmpty = lengthOfList(memberOf(spec, 'rules')) === 0 && memberOf(spec, 'defaultBackend') === undefined;
  return [
    ...(isEmpty ? [invalidCause('spec', null, 'either `defaultBackend` or `rules` must be specified')] : []),
    ...checkMember(spec, 'defaultBackend', 'spec', backendCauses),
    ...checkEachItem(spec, 'rules', 'spec', hostRuleCauses),
    ...checkEachItem(spec, 'tls', 'spec', tlsCauses),
    ...validateNameIfPresent('spec.ingressClassName', memberOf(spec, 'ingressClassName'), validateSubdomain),
    ...(old === undefined ? classAnnotationCauses(object) : []),
  ];
}

const ingressClassAnnotation = 'kubernetes.io/ingress.class';

function classAnnotationCauses(object: JsonObject): Cause[] {
  const annotated = valueAtPath(object, 'metadata', 'annotations', ingressClassAnnotation);
  const named = valueAtPath(object, 'spec', 'ingressClassName');
  if (annotated === undefined || named === undefined || annotated === named) return [];
  return [
    invalidCause(
      `annotations.${ingressClassAnnotation}`,
      annotated,
      'must match `ingressClassName` when both are specified',
    ),
  ];
}

function hostRuleCauses(rule: JsonObject, field: string): Cause[] {
  const host = jsonTextAt(rule, 'host');
  const isByAddress = host !== '' && isAddress(host);
  return [
    ...(isByAddress ? [invalidCause(`${field}.host`, host, 'must be a DNS name, not an IP address')] : []),
    ...(host === '' ? [] : hostCauses(host, `${field}.host`)),
    ...checkMember(rule, 'http', field, (http, place) => [
      ...(lengthOfList(http['paths']) === 0 ? [requiredCause(`${place}.paths`)] : []),
      ...checkEachItem(http, 'paths', place, httpPathCauses),
    ]),
  ];
}

const wildcard = String.raw`\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;
const wildcardPattern = new RegExp(`^${wildcard}$`);
const wildcardProblem = `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${wildcard}')`;

function hostCauses(host: string, field: string): Cause[] {
  if (!host.includes('*')) return validateNamed(field, host, validateSubdomain);
  return wildcardPattern.test(host) ? [] : [invalidCause(field, host, wildcardProblem)];
}

const tlsCauses = (tls: JsonObject, field: string): Cause[] => [
  ...checkEachText(tls['hosts'], `${field}.hosts`, hostCauses),
  ...validateOptionalName(`${field}.secretName`, tls, validateSubdomain),
];

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function httpPathCauses(path: JsonObject, field: string): Cause[] {
  const type = path['pathType'];
  if (type === undefined || type === null) return [requiredCause(`${field}.pathType`, 'pathType must be specified')];
  return [...pathTextCauses(path, field), ...backendCausesAt(path, `${field}.backend`)];
}

function pathTextCauses(path: JsonObject, field: string): Cause[] {
  const [type, text] = [jsonTextAt(path, 'pathType'), jsonTextAt(path, 'path')];
  const refused = (because: string): Cause => invalidCause(`${field}.path`, text, because);
  const relative = text.startsWith('/') ? [] : [refused('must be an absolute path')];
  if (!pathTypes.includes(type)) return [notSupportedCause(`${field}.pathType`, type, pathTypes)];
  if (type === 'ImplementationSpecific') return text === '' ? [] : relative;
  return [
    ...relative,
    ...['//', '/./', '/../', '%2f', '%2F']
      .filter((part) => text.includes(part))
      .map((part) => refused(`must not contain '${part}'`)),
    ...['/..', '/.'].filter((end) => text.endsWith(end)).map((end) => refused(`cannot end with '${end}'`)),
  ];
}

function backendCausesAt(path: JsonObject, field: string): Cause[] {
  const backend = path['backend'];
  return backendCauses(isObject(backend) ? backend : {}, field);
}

function backendCauses(backend: JsonObject, field: string): Cause[] {
  const { resource, service } = backend;
  if (resource !== undefined && service !== undefined)
    return [invalidCause(field, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return checkMember(backend, 'resource', field, backendReferenceCauses);
  if (service === undefined) return [invalidCause(field, '', 'resource or service backend is required')];
  return [
    ...validateRequiredName(`${field}.service.name`, service, validateLetterLabel),
    ...servicePortCauses(memberOf(service, 'port') ?? {}, field),
  ];
}

function servicePortCauses(port: Parameters<typeof memberOf>[0], field: string): Cause[] {
  const name = jsonTextAt(port, 'name');
  const number = memberOf(port, 'number') ?? 0;
  if (name !== '' && number !== 0) return [invalidCause(field, '', 'cannot set both port name & port number')];
  if (name !== '') return validateNamed(`${field}.service.port.name`, name, validatePortName);
  if (number !== 0) return validatePort(`${field}.service.port.number`, number);
  return [requiredCause(field, 'port name or number is required')];
}

const backendReferenceCauses = (reference: JsonObject, field: string): Cause[] => [
  ...validateNameIfPresent(`${field}.apiGroup`, reference['apiGroup'], validateSubdomain),
  ...validateRequiredName(`${field}.kind`, reference, validatePathSegment),
  ...validateRequiredName(`${field}.name`, reference, validatePathSegment),
];

/** The problems of the status of a Service: only one with a load balancer has points where that is. */
export const balancerOfServiceCauses = (object: JsonObject): Cause[] =>
  jsonTextAt(object, 'spec', 'type') !== 'LoadBalancer' &&
  lengthOfList(valueAtPath(object, 'status', 'loadBalancer', 'ingress')) > 0
    ? [forbiddenCause('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")]
    : loadBalancerCauses(object);

/** The problems of the status of an Ingress or of a Service: where its load balancer is. */
export const loadBalancerCauses = (object: JsonObject): Cause[] =>
  checkEachItem(valueAtPath(object, 'status', 'loadBalancer'), 'ingress', 'status.loadBalancer', (point, field) => {
    const [ip, hostname] = [jsonTextAt(point, 'ip'), jsonTextAt(point, 'hostname')];
    return [
      ...(ip === '' ? [] : validateAddress(`${field}.ip`, ip)),
      ...(hostname === '' ? [] : validateNamed(`${field}.hostname`, hostname, validateSubdomain)),
      ...(hostname !== '' && isAddress(hostname)
        ? [invalidCause(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')]
        : []),
    ];
  });
