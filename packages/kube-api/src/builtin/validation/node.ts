import { validateLabelValue, validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, isEqualJson, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import { validateBlock } from './addresses.ts';
import { checkEachItem, jsonObjectsIn, jsonTextsIn, membersOf, validateChoice } from './checks.ts';
import { amountCauses } from './quota.ts';

const knownTaintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The problems of a Node. A real server reports taints below `metadata`, and twice on an update. */
export function nodeCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const taints = taintCauses(object);
  const shared = [
    ...taints,
    ...nodeAddressCauses(object),
    ...nodeAmountCauses(object),
    ...featureCauses(object),
    ...nodeBlockCauses(object),
  ];
  return old === undefined ? shared : [...shared, ...taints, ...nodeChangeCauses(object, old)];
}

function taintCauses(object: JsonObject): Cause[] {
  const known = new Set<string>();
  return jsonObjectsIn(valueAtPath(object, 'spec', 'taints')).flatMap((taint, index) => {
    const [key, value, effect] = [jsonTextAt(taint, 'key'), jsonTextAt(taint, 'value'), jsonTextAt(taint, 'effect')];
    const field = `metadata.taints[${index}]`;
    const isRepeated = known.has(`${key}:${effect}`);
    known.add(`${key}:${effect}`);
    return [
      ...validateQualifiedName(key).map((text) => invalidCause(`${field}.key`, key, text)),
      ...validateLabelValue(value).map((text) => invalidCause(`${field}.value`, value, text)),
      ...(effect === ''
        ? [requiredCause(`${field}.effect`)]
        : validateChoice(`${field}.effect`, memberOf(taint, 'effect'), knownTaintEffects)),
      ...(isRepeated ? [duplicateCause(field, taint)] : []),
    ];
  });
}

const nodeAmountCauses = (object: JsonObject): Cause[] =>
  ['capacity', 'allocatable'].flatMap((key) =>
    membersOf(valueAtPath(object, 'status', key)).flatMap(([name, amount]) =>
      amountCauses({ field: `status.${key}.${name}`, name, amount }),
    ),
  );

const featureCauses = (object: JsonObject): Cause[] => {
  const names = jsonTextsIn(valueAtPath(object, 'status', 'declaredFeatures'));
  return names.flatMap((name, index) => [
    ...featureNameCauses(name, `status.declaredFeatures[${index}]`),
    ...(names.indexOf(name) < index ? [duplicateCause(`status.declaredFeatures[${index}]`, name)] : []),
  ]);
};

const featureNameCauses = (name: string, field: string): Cause[] =>
  /^[A-Z][A-Za-z0-9]*(\/[A-Za-z0-9]+)*$/.test(name)
    ? []
    : [
        invalidCause(
          field,
          name,
          `invalid feature name ${JSON.stringify(name)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
        ),
      ];

/** The first block is that of `podCIDR`, if it is set. */
function nodeBlockCauses(object: JsonObject): Cause[] {
  const first = jsonTextAt(object, 'spec', 'podCIDR');
  const given = jsonTextsIn(valueAtPath(object, 'spec', 'podCIDRs'));
  const blocks = first === '' ? given : [first, ...given.slice(1)];
  return blocks.flatMap((block, index) => validateBlock(`spec.podCIDRs[${index}]`, block));
}

function nodeAddressCauses(object: JsonObject): Cause[] {
  const known: JsonObject[] = [];
  return checkEachItem(memberOf(object, 'status'), 'addresses', 'status', (address, field) => {
    const isRepeated = known.some((other) => isEqualJson(other, address));
    known.push(address);
    return isRepeated ? [duplicateCause(field, address)] : [];
  });
}

const nodeChangeCauses = (object: JsonObject, old: JsonObject): Cause[] => [
  ...blockCauses(valueAtPath(old, 'spec', 'podCIDRs'), valueAtPath(object, 'spec', 'podCIDRs')),
  ...providerCauses(object, old),
  ...(jsonTextAt(old, 'spec', 'externalID') === jsonTextAt(object, 'spec', 'externalID')
    ? []
    : [forbiddenCause('spec.externalID', 'may not be updated')]),
];

function blockCauses(before: JsonValue | undefined, after: JsonValue | undefined): Cause[] {
  return jsonTextsIn(before).length === 0 || isEqualJson(before, after)
    ? []
    : [forbiddenCause('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')];
}

function providerCauses(object: JsonObject, old: JsonObject): Cause[] {
  const before = jsonTextAt(old, 'spec', 'providerID');
  return before === '' || before === jsonTextAt(object, 'spec', 'providerID')
    ? []
    : [forbiddenCause('spec.providerID', 'node updates may not change providerID except from "" to valid')];
}
