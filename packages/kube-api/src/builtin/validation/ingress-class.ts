import { validateDnsLabel, validatePathSegment, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import {
  checkMember,
  validateImmutable,
  validateNamed,
  validateNameIfPresent,
  validateRequiredName,
} from './checks.ts';

/** The problems of an IngressClass. Its controller is immutable. */
export const ingressClassCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] => [
  ...(old === undefined
    ? []
    : validateImmutable(
        'spec.controller',
        valueAtPath(old, 'spec', 'controller'),
        valueAtPath(object, 'spec', 'controller'),
      )),
  ...controllerCauses(jsonTextAt(object, 'spec', 'controller')),
  ...checkMember(memberOf(object, 'spec'), 'parameters', 'spec', parametersCauses),
];

const domainPrefixed = 'must be a domain-prefixed path (such as "acme.io/foo")';

function controllerCauses(controller: string): Cause[] {
  const field = 'spec.controller';
  if (controller === '') return [requiredCause(field)];
  const [domain = '', ...path] = controller.split('/');
  if (path.length === 0 || domain === '' || path.join('/') === '')
    return [invalidCause(field, controller, domainPrefixed)];
  return validateNamed(field, domain, validateSubdomain);
}

const scopes = ['Cluster', 'Namespace'];

function parametersCauses(parameters: JsonObject, field: string): Cause[] {
  const scope = jsonTextAt(parameters, 'scope');
  const { apiGroup } = parameters;
  return [
    ...validateNameIfPresent(`${field}.apiGroup`, apiGroup, validateSubdomain),
    ...validateRequiredName(`${field}.kind`, parameters, validatePathSegment),
    ...validateRequiredName(`${field}.name`, parameters, validatePathSegment),
    ...(scopes.includes(scope)
      ? namespaceCauses(parameters, field, scope)
      : [notSupportedCause(`${field}.scope`, scope, scopes)]),
  ];
}

function namespaceCauses(parameters: JsonObject, field: string, scope: string): Cause[] {
  const isCluster = scope === 'Cluster';
  const namespace = parameters['namespace'];
  if (isCluster)
    return namespace === undefined
      ? []
      : [forbiddenCause(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  return typeof namespace === 'string'
    ? validateNamed(`${field}.namespace`, namespace, validateDnsLabel)
    : [requiredCause(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")];
}
