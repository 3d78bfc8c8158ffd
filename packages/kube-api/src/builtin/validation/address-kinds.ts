import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateLetterLabel, validatePathSegment, validateSubdomain } from '../../schema/metadata/names.ts';
import { isAddress, parseBlock, validateBlock } from './addresses.ts';
import { checkEachText, jsonTextsIn, validateNamed } from './checks.ts';

/** The name of an IPAddress is the address. */
export const addressNameProblems = (name: string): string[] =>
  isAddress(name) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];

/** The problems of an IPAddress. What has the address never changes. */
export function addressCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const parent = memberOf(spec, 'parentRef');
  if (!isObject(parent))
    return [
      requiredCause('spec.parentRef'),
      ...(old === undefined ? [] : [invalidCause('spec.parentRef', null, 'field is immutable')]),
    ];
  const text = (key: string): string => jsonTextAt(parent, key);
  const field = (key: string): string => `spec.parentRef.${key}`;
  const printed = {
    Group: text('group'),
    Resource: text('resource'),
    Namespace: text('namespace'),
    Name: text('name'),
  };
  return [
    ...(text('group') === '' ? [] : validateNamed(field('group'), text('group'), validateSubdomain)),
    ...['resource', 'name'].flatMap((key) =>
      text(key) === '' ? [requiredCause(field(key))] : validateNamed(field(key), text(key), validatePathSegment),
    ),
    ...(text('namespace') === '' ? [] : validateNamed(field('namespace'), text('namespace'), validatePathSegment)),
    ...(old === undefined || isEqualJson(memberOf(memberOf(old, 'spec'), 'parentRef'), parent)
      ? []
      : [invalidCause('spec.parentRef', printed, 'field is immutable')]),
  ];
}

/** The problems of a ServiceCIDR. Its ranges never change, except that a second one is added. */
export function serviceRangeCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const ranges = jsonTextsIn(memberOf(memberOf(object, 'spec'), 'cidrs'));
  if (old !== undefined) return rangeChangeCauses(ranges, jsonTextsIn(memberOf(memberOf(old, 'spec'), 'cidrs')));
  return newRangeCauses(ranges);
}

function newRangeCauses(ranges: readonly string[]): Cause[] {
  if (ranges.length === 0) return [requiredCause('spec.cidrs', 'at least one CIDR required')];
  const families = ranges.map((text) => parseBlock(text)?.family);
  return [
    ...(ranges.length > 2
      ? [invalidCause('spec.cidrs', [...ranges], 'may only hold up to 2 values')]
      : ranges.length === 2 && families[0] !== undefined && families[0] === families[1]
        ? [
            invalidCause(
              'spec.cidrs',
              [...ranges],
              'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
            ),
          ]
        : []),
    ...checkEachText([...ranges], 'spec.cidrs', (range, field) => validateBlock(field, range)),
  ];
}

function rangeChangeCauses(after: readonly string[], before: readonly string[]): Cause[] {
  const isGrown = before.length === 1 && after.length === 2;
  const changed = (index: number): Cause[] =>
    before[index] === after[index]
      ? []
      : [invalidCause(`spec.cidrs[${index}]`, after[index] ?? '', 'field is immutable')];
  if (isGrown) return [...newRangeCauses(after), ...changed(0)];
  if (after.length === 0) return [invalidCause('spec.cidrs', null, 'field is immutable')];
  if (after.length !== before.length)
    return [
      {
        reason: 'FieldValueForbidden',
        message: 'Forbidden: CIDRs cannot be modified',
        field: 'spec.cidrs',
      },
    ];
  return before.flatMap((_, index) => changed(index));
}

const isAbsent = (data: JsonValue | undefined): boolean => data === undefined || data === null;

/** The problems of a ControllerRevision. */
export function revisionCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const { revision = 0, data } = object;
  return [
    ...(typeof revision === 'number' && revision < 0
      ? [invalidCause('revision', revision, 'must be greater than or equal to 0')]
      : []),
    ...(isAbsent(data) && old === undefined ? [requiredCause('data', 'data is mandatory')] : []),
    ...(isAbsent(data) || isObject(data) || old !== undefined
      ? []
      : [requiredCause('data', 'data must be a valid JSON object')]),
    ...(old === undefined || isEqualJson(old['data'] ?? null, data ?? null)
      ? []
      : [invalidCause('data', data ?? null, 'field is immutable')]),
  ];
}

const [leastPriority, mostGroupPriority, mostVersionPriority] = [0, 20_000, 1000];

/** The problems of an APIService. */
export function apiServiceCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const [group, version] = [jsonTextAt(spec, 'group'), jsonTextAt(spec, 'version')];
  const service = memberOf(spec, 'service');
  const [prefix, name] = [jsonTextAt(object, 'metadata', 'generateName'), jsonTextAt(object, 'metadata', 'name')];
  const wanted = `${version}.${group}`;
  const misnamed = (field: string, text: string): Cause =>
    invalidCause(`metadata.${field}`, text, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`);
  const isUnsafe = memberOf(spec, 'insecureSkipTLSVerify') === true;
  const hasBundle = jsonTextAt(spec, 'caBundle') !== '';
  return [
    ...(prefix !== '' && prefix !== wanted ? [misnamed('generateName', prefix)] : []),
    ...(name === wanted || name === '' ? [] : [misnamed('name', name)]),
    ...(group === '' ? [] : validateNamed('spec.group', group, validateSubdomain)),
    ...(group === '' && version !== 'v1'
      ? [requiredCause('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...validateNamed('spec.version', version, validateLetterLabel),
    ...priorityCauses(memberOf(spec, 'groupPriorityMinimum'), 'spec.groupPriorityMinimum', mostGroupPriority),
    ...priorityCauses(memberOf(spec, 'versionPriority'), 'spec.versionPriority', mostVersionPriority),
    ...(isObject(service)
      ? [
          ...['namespace', 'name'].flatMap((key) =>
            jsonTextAt(service, key) === '' ? [requiredCause(`spec.service.${key}`)] : [],
          ),
          ...(portProblem(memberOf(service, 'port'))
            ? [
                invalidCause(
                  'spec.service.port',
                  memberOf(service, 'port') ?? 0,
                  'port is not valid: must be between 1 and 65535, inclusive',
                ),
              ]
            : []),
          ...(isUnsafe && hasBundle
            ? [invalidCause('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
            : []),
        ]
      : [
          ...(hasBundle
            ? [
                invalidCause(
                  'spec.caBundle',
                  `${jsonTextAt(spec, 'caBundle').length} bytes`,
                  'local APIServices may not have a caBundle',
                ),
              ]
            : []),
          ...(isUnsafe
            ? [invalidCause('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
            : []),
        ]),
  ];
}

const portProblem = (port: unknown): boolean => typeof port === 'number' && (port < 1 || port > 65_535);

const priorityCauses = (value: unknown, field: string, most: number): Cause[] => {
  const priority = typeof value === 'number' ? value : 0;
  return priority > leastPriority && priority <= most
    ? []
    : [invalidCause(field, priority, `must be positive and less than ${most}`)];
};

/** The problems of the status of an APIService. */
export function apiServiceStatusCauses(object: JsonObject): Cause[] {
  const conditions = memberOf(memberOf(object, 'status'), 'conditions');
  const list = Array.isArray(conditions) ? conditions : [];
  return list.flatMap((condition, index) => {
    const status = jsonTextAt(condition, 'status');
    return ['True', 'False', 'Unknown'].includes(status)
      ? []
      : [
          {
            reason: 'FieldValueNotSupported' as const,
            message: `Unsupported value: ${JSON.stringify(status)}: supported values: "True", "False", "Unknown"`,
            field: `status.conditions[${index}].status`,
          },
        ];
  });
}
