import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
} from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateDnsLabel, validateSubdomain } from '../../schema/metadata/names.ts';
import { checkEachItem, checkEachText, checkMember, lengthOfList, validateChoice, validateNamed } from './checks.ts';

const mostPrecedence = 10_000;
const distinguishers = ['ByNamespace', 'ByUser'];

/** The problems of a FlowSchema. */
export function flowSchemaCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const precedence = memberOf(spec, 'matchingPrecedence') ?? 0;
  const level = jsonTextAt(spec, 'priorityLevelConfiguration', 'name');
  return [
    ...(typeof precedence === 'number' && precedence <= 0
      ? [invalidCause('spec.matchingPrecedence', precedence, 'must be a positive value')]
      : []),
    ...(typeof precedence === 'number' && precedence > mostPrecedence
      ? [invalidCause('spec.matchingPrecedence', precedence, `must not be greater than ${mostPrecedence}`)]
      : []),
    ...(precedence === 1 && jsonTextAt(object, 'metadata', 'name') !== 'exempt'
      ? [invalidCause('spec.matchingPrecedence', 1, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
    ...checkMember(spec, 'distinguisherMethod', 'spec', ({ type = '' }, field) =>
      typeof type === 'string' && distinguishers.includes(type)
        ? []
        : [notSupportedCause(`${field}.type`, { Type: type }, distinguishers)],
    ),
    ...(level === ''
      ? [requiredCause('spec.priorityLevelConfiguration.name', 'must reference a priority level')]
      : validateNamed('spec.priorityLevelConfiguration.name', level, validateSubdomain)),
    ...checkEachItem(spec, 'rules', 'spec', (rule, field) => [
      ...needsItems(rule, 'subjects', field),
      ...checkEachItem(rule, 'subjects', field, flowSubjectCauses),
      ...(lengthOfList(rule['resourceRules']) + lengthOfList(rule['nonResourceRules']) === 0
        ? [requiredCause(field, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
        : []),
      ...checkEachItem(rule, 'resourceRules', field, flowResourceRuleCauses),
      ...checkEachItem(rule, 'nonResourceRules', field, urlRuleCauses),
    ]),
  ];
}

/** The problems of the status of a flow schema or a priority level: each condition has a type, and one alone. */
export function flowStatusCauses(object: JsonObject): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(object['status'], 'conditions', 'status', (condition, field) => {
    const type = jsonTextAt(condition, 'type');
    const isRepeated = seen.has(type);
    seen.add(type);
    return [
      ...(type === '' ? [requiredCause(`${field}.type`)] : []),
      ...(isRepeated ? [duplicateCause(`${field}.type`, type)] : []),
    ];
  });
}

const needsItems = (rule: JsonObject, key: string, field: string): Cause[] =>
  lengthOfList(memberOf(rule, key)) === 0
    ? [requiredCause(`${field}.${key}`, `${key} must contain at least one value`)]
    : [];

/** The kinds of subjects, and the member that each of them has. */
const subjectMembers: ReadonlyMap<string, string> = new Map([
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
]);

function flowSubjectCauses(subject: JsonObject, field: string): Cause[] {
  const kind = jsonTextAt(subject, 'kind');
  const expected = subjectMembers.get(kind);
  if (expected === undefined) return [notSupportedCause(`${field}.kind`, kind, [...subjectMembers.keys()])];
  const wanted = memberOf(subject, expected);
  const others = [...subjectMembers].filter(([, member]) => member !== expected && isObject(memberOf(subject, member)));
  return [
    ...(isObject(wanted)
      ? namedSubjectCauses(wanted, `${field}.${expected}`, expected)
      : [requiredCause(`${field}.${expected}`, `${expected} is required when subject kind is '${kind}'`)]),
    ...others.map(([name, member]) =>
      forbiddenCause(`${field}.${member}`, `${member} is forbidden when subject kind is not '${name}'`),
    ),
  ];
}

function namedSubjectCauses(subject: JsonObject, field: string, member: string): Cause[] {
  const [name, namespace] = [jsonTextAt(subject, 'name'), jsonTextAt(subject, 'namespace')];
  return [
    ...(name === '' ? [requiredCause(`${field}.name`)] : []),
    ...(member === 'serviceAccount' && name !== '' && name !== '*'
      ? validateNamed(`${field}.name`, name, validateSubdomain)
      : []),
    ...(member === 'serviceAccount' && namespace === ''
      ? [requiredCause(`${field}.namespace`, 'must specify namespace for service account')]
      : []),
  ];
}

const flowVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'proxy'];
const listsWildcard = (list: JsonValue | undefined): boolean => Array.isArray(list) && list.includes('*');

function aloneCauses(rule: JsonObject, key: string, field: string, what: string): Cause[] {
  const list = memberOf(rule, key);
  return listsWildcard(list) && lengthOfList(list) > 1
    ? [invalidCause(`${field}.${key}`, list ?? [], `if '*' is present, must not specify other ${what}`)]
    : [];
}

function flowResourceRuleCauses(rule: JsonObject, field: string): Cause[] {
  const hasPlace = lengthOfList(rule['namespaces']) > 0 || rule['clusterScope'] === true;
  return [
    ...needsItems(rule, 'verbs', field),
    ...aloneCauses(rule, 'verbs', field, 'verbs'),
    ...(listsWildcard(rule['verbs'])
      ? []
      : checkEachText(rule['verbs'], `${field}.verbs`, (verb) => validateChoice(`${field}.verbs`, verb, flowVerbs))),
    ...needsItems(rule, 'apiGroups', field).map((cause) => ({
      ...cause,
      message: 'Required value: resource rules must supply at least one api group',
    })),
    ...aloneCauses(rule, 'apiGroups', field, 'api groups'),
    ...needsItems(rule, 'resources', field).map((cause) => ({
      ...cause,
      message: 'Required value: resource rules must supply at least one resource',
    })),
    ...aloneCauses(rule, 'resources', field, 'resources'),
    ...(hasPlace
      ? []
      : [
          requiredCause(
            `${field}.namespaces`,
            'resource rules that are not cluster scoped must supply at least one namespace',
          ),
        ]),
    ...aloneCauses(rule, 'namespaces', field, 'namespaces'),
    ...checkEachText(rule['namespaces'], `${field}.namespaces`, (namespace, place) =>
      namespace === '*'
        ? []
        : validateDnsLabel(namespace).map((problem) =>
            invalidCause(place, namespace, `each member of this list must be '*' or a DNS-1123 label; ${problem}`),
          ),
    ),
  ];
}

const urlRuleCauses = (rule: JsonObject, field: string): Cause[] => [
  ...needsItems(rule, 'verbs', field),
  ...aloneCauses(rule, 'verbs', field, 'verbs'),
  ...(listsWildcard(rule['verbs'])
    ? []
    : checkEachText(rule['verbs'], `${field}.verbs`, (verb) =>
        validateChoice(`${field}.verbs`, verb, [...flowVerbs, 'head', 'options', 'post', 'put']),
      )),
  ...needsItems(rule, 'nonResourceURLs', field),
  ...aloneCauses(rule, 'nonResourceURLs', field, 'non-resource URLs'),
  ...(listsWildcard(rule['nonResourceURLs'])
    ? []
    : checkEachText(rule['nonResourceURLs'], `${field}.nonResourceURLs`, pathOfRuleCauses)),
];

function pathOfRuleCauses(path: string, field: string): Cause[] {
  if (path === '') return [invalidCause(field, path, 'must not be empty')];
  if (path === '/') return [];
  const refuse = (because: string): Cause[] => [invalidCause(field, path, because)];
  if (!path.startsWith('/')) return refuse('must start with slash');
  if (path.includes(' ')) return refuse('must not contain white-space');
  if (path.includes('//')) return refuse('must not contain double slash');
  const star = path.indexOf('*');
  return star === -1 || (path.endsWith('/*') && star === path.length - 1)
    ? []
    : refuse('hasWildcard can only do suffix matching');
}

/** The problems of a PriorityLevelConfiguration. */
export function priorityLevelCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const type = jsonTextAt(spec, 'type');
  const isSet = (key: string): boolean => isObject(memberOf(spec, key));
  switch (type) {
    case '':
      return [requiredCause('spec.type')];
    case 'Exempt':
      return [
        ...(isSet('limited') ? [forbiddenCause('spec.limited', 'must be nil if the type is not Limited')] : []),
        ...checkMember(spec, 'exempt', 'spec', shareCauses),
      ];
    case 'Limited':
      return [
        ...(isSet('exempt') ? [forbiddenCause('spec.exempt', 'must be nil if the type is Limited')] : []),
        ...(isSet('limited')
          ? checkMember(spec, 'limited', 'spec', limitedCauses)
          : [requiredCause('spec.limited', 'must not be empty when type is Limited')]),
      ];
    default:
      return [notSupportedCause('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function shareCauses(limited: JsonObject, field: string): Cause[] {
  const { nominalConcurrencyShares: shares, lendablePercent: lent } = limited;
  return [
    ...(typeof shares === 'number' && shares < 0
      ? [invalidCause(`${field}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
      : []),
    ...(typeof lent === 'number' && (lent < 0 || lent > 100)
      ? [invalidCause(`${field}.lendablePercent`, lent, 'must be between 0 and 100, inclusive')]
      : []),
  ];
}

function limitedCauses(limited: JsonObject, field: string): Cause[] {
  const { borrowingLimitPercent: borrowed } = limited;
  const response = limited['limitResponse'];
  const type = jsonTextAt(response, 'type');
  const place = `${field}.limitResponse`;
  return [
    ...shareCauses(limited, field),
    ...(typeof borrowed === 'number' && borrowed < 0
      ? [invalidCause(`${field}.borrowingLimitPercent`, borrowed, 'if specified, must be a non-negative integer')]
      : []),
    ...(type === '' ? [requiredCause(`${place}.type`)] : validateChoice(`${place}.type`, type, ['Queue', 'Reject'])),
    ...(type === 'Reject' && isObject(memberOf(response, 'queuing'))
      ? [forbiddenCause(`${place}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')]
      : []),
    ...(type === 'Queue' && !isObject(memberOf(response, 'queuing'))
      ? [requiredCause(`${place}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
      : []),
    ...(type === 'Queue' ? checkMember(response, 'queuing', place, queuingCauses) : []),
  ];
}

const mostQueues = 10_000_000;

function queuingCauses(queuing: JsonObject, field: string): Cause[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
  if (typeof queues !== 'number' || typeof handSize !== 'number' || typeof queueLengthLimit !== 'number') return [];
  return [
    ...(queueLengthLimit <= 0 ? [invalidCause(`${field}.queueLengthLimit`, queueLengthLimit, 'must be positive')] : []),
    ...(queues <= 0 ? [invalidCause(`${field}.queues`, queues, 'must be positive')] : []),
    ...(queues > mostQueues ? [invalidCause(`${field}.queues`, queues, `must not be greater than ${mostQueues}`)] : []),
    ...(handSize <= 0 ? [invalidCause(`${field}.handSize`, handSize, 'must be positive')] : []),
    ...(handSize > queues
      ? [invalidCause(`${field}.handSize`, handSize, `should not be greater than queues (${queues})`)]
      : []),
  ];
}
