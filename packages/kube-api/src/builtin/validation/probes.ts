import { validatePortName } from '../../schema/metadata/port-names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkMember, lengthOfList, validateCounts, validateNamed, validatePresence } from './checks.ts';

/** The problems of the probes and the lifecycle of a container. */
export const probeCauses = (container: JsonObject, field: string, graceSeconds: number): Cause[] => [
  ...checkMember(container, 'lifecycle', field, (lifecycle, place) =>
    ['postStart', 'preStop'].flatMap((key) =>
      checkMember(lifecycle, key, place, (handler, inner) => [
        ...handlerCauses(handler, inner, ['exec', 'httpGet', 'tcpSocket', 'sleep']),
        ...checkMember(handler, 'sleep', inner, (action, at) => sleepCauses(action['seconds'], at, graceSeconds)),
      ]),
    ),
  ),
  ...checkMember(container, 'livenessProbe', field, (probe, place) => [
    ...oneProbe(probe, place),
    ...successCauses(probe, place),
  ]),
  ...checkMember(container, 'readinessProbe', field, (probe, place) => [
    ...oneProbe(probe, place),
    ...(probe['terminationGracePeriodSeconds'] === undefined
      ? []
      : [
          invalidCause(
            `${place}.terminationGracePeriodSeconds`,
            probe['terminationGracePeriodSeconds'],
            'must not be set for readinessProbes',
          ),
        ]),
  ]),
  ...checkMember(container, 'startupProbe', field, (probe, place) => [
    ...oneProbe(probe, place),
    ...successCauses(probe, place),
  ]),
];

function oneProbe(probe: JsonObject, field: string): Cause[] {
  const grace = probe['terminationGracePeriodSeconds'];
  return [
    ...handlerCauses(probe, field, ['exec', 'httpGet', 'tcpSocket', 'grpc']),
    ...validateCounts(probe, field, [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
    ]),
    ...(typeof grace === 'number' && grace <= 0
      ? [invalidCause(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}

const successCauses = (probe: JsonObject, field: string): Cause[] =>
  probe['successThreshold'] === undefined || probe['successThreshold'] === 1
    ? []
    : [invalidCause(`${field}.successThreshold`, probe['successThreshold'], 'must be 1')];

function handlerCauses(handler: JsonObject, field: string, kinds: readonly string[]): Cause[] {
  const [first, ...others] = kinds.filter((key) => memberOf(handler, key) !== undefined);
  if (first === undefined) return [requiredCause(field, 'must specify a handler type')];
  return [
    ...checkMember(handler, first, field, (action, place) => actionCauses(first, action, place)),
    ...others.map((key) => forbiddenCause(`${field}.${key}`, 'may not specify more than 1 handler type')),
  ];
}

function actionCauses(kind: string, action: JsonObject, field: string): Cause[] {
  switch (kind) {
    case 'exec':
      return lengthOfList(action['command']) === 0 ? [requiredCause(`${field}.command`)] : [];
    case 'httpGet':
      return [
        ...validatePresence(`${field}.path`, action['path']),
        ...probePortCauses(action['port'], `${field}.port`),
        ...schemeCauses(jsonTextAt(action, 'scheme'), `${field}.scheme`),
        ...(Array.isArray(action['httpHeaders']) ? headerCauses(action, field) : []),
      ];
    case 'sleep':
      return [];
    default:
      return probePortCauses(action['port'], `${field}.port`);
  }
}

const sleepCauses = (seconds: JsonValue | undefined, field: string, most: number): Cause[] =>
  typeof seconds === 'number' && (seconds < 0 || seconds > most)
    ? [invalidCause(field, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${most})`)]
    : [];

const schemeCauses = (scheme: string, field: string): Cause[] =>
  scheme === 'HTTP' || scheme === 'HTTPS' || scheme === '' ? [] : [notSupportedCause(field, scheme, ['HTTP', 'HTTPS'])];

const headerPattern = /^[-A-Za-z0-9]+$/;
const headerProblem =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

const headerCauses = (action: JsonObject, field: string): Cause[] =>
  (action['httpHeaders'] as JsonValue[]).flatMap((header) => {
    const name = jsonTextAt(header, 'name');
    return headerPattern.test(name) ? [] : [invalidCause(`${field}.httpHeaders`, name, headerProblem)];
  });

/** Validates a port that is a number or the name of a port of the container. */
function probePortCauses(port: JsonValue | undefined, field: string): Cause[] {
  if (typeof port === 'string') return validateNamed(field, port, validatePortName);
  return typeof port === 'number' && port >= 1 && port <= 65_535
    ? []
    : [invalidCause(field, port ?? 0, 'must be between 1 and 65535, inclusive')];
}
