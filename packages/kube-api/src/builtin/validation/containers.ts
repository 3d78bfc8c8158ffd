import { compareQuantities, isQuantity, parseQuantity } from '@nodewright/apis';
import { validateDnsLabel } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf, jsonTextAt } from '../../schema/json.ts';
import { validatePort, jsonObjectsIn, validateChoice, validatePresence, validateUniqueNames } from './checks.ts';

/** The problems of a pod's containers. */
export function containerCauses(spec: JsonObject, field: string): Cause[] {
  const containers = jsonObjectsIn(spec['containers']);
  if (containers.length === 0) return [requiredCause(`${field}.containers`)];
  const volumes = new Set(jsonObjectsIn(spec['volumes']).map((volume) => jsonTextAt(volume, 'name')));
  return [
    ...containerListCauses(containers, { field: `${field}.containers`, volumes }),
    ...containerListCauses(jsonObjectsIn(spec['initContainers']), { field: `${field}.initContainers`, volumes }),
  ];
}

type ContainerContext = { readonly field: string; readonly volumes: ReadonlySet<string> };

const containerListCauses = (containers: readonly JsonObject[], { field, volumes }: ContainerContext): Cause[] => [
  ...containers.flatMap((container, index) => oneContainer(container, { field: `${field}[${index}]`, volumes })),
  ...validateUniqueNames(field, containers),
];

function oneContainer(container: JsonObject, { field, volumes }: ContainerContext): Cause[] {
  const name = jsonTextAt(container, 'name');
  return [
    ...(name === ''
      ? [requiredCause(`${field}.name`)]
      : validateDnsLabel(name).map((text) => invalidCause(`${field}.name`, name, text))),
    ...validatePresence(`${field}.image`, container['image']),
    ...validateChoice(`${field}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']),
    ...containerPortCauses(container, `${field}.ports`),
    ...resourceCauses(container, `${field}.resources`),
    ...mountCauses(container, { field: `${field}.volumeMounts`, volumes }),
  ];
}

const containerPortCauses = (container: JsonObject, field: string): Cause[] => [
  ...jsonObjectsIn(container['ports']).flatMap((port, index) => [
    ...(port['containerPort'] === undefined || port['containerPort'] === 0
      ? [requiredCause(`${field}[${index}].containerPort`)]
      : validatePort(`${field}[${index}].containerPort`, port['containerPort'])),
    ...validateChoice(`${field}[${index}].protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']),
  ]),
  ...validateUniqueNames(field, jsonObjectsIn(container['ports'])),
];

function resourceCauses(container: JsonObject, field: string): Cause[] {
  const requests = valueAtPath(container, 'resources', 'requests');
  const limits = valueAtPath(container, 'resources', 'limits');
  return [
    ...resourceAmounts(limits).flatMap(([name, amount]) => amountCauses(`${field}.limits[${name}]`, amount)),
    ...resourceAmounts(requests).flatMap(([name, amount]) => amountCauses(`${field}.requests[${name}]`, amount)),
    ...resourceAmounts(requests).flatMap(([name, amount]) => {
      const limit = memberOf(limits, name);
      return limit === undefined || !isMore(amount, limit)
        ? []
        : [
            invalidCause(
              `${field}.requests`,
              amount,
              `must be less than or equal to ${name} limit of ${printAmount(limit)}`,
            ),
          ];
    }),
  ];
}

const resourceAmounts = (list: JsonValue | undefined): [string, JsonValue][] =>
  isObject(list) ? Object.entries(list) : [];

const amountCauses = (field: string, amount: JsonValue): Cause[] =>
  isQuantity(amount) && parseQuantity(printAmount(amount)).nanos < 0n
    ? [invalidCause(field, amount, 'must be greater than or equal to 0')]
    : [];

const isMore = (a: JsonValue, b: JsonValue): boolean =>
  isQuantity(a) && isQuantity(b) && compareQuantities(parseQuantity(printAmount(a)), parseQuantity(printAmount(b))) > 0;

const printAmount = (amount: JsonValue): string => (typeof amount === 'string' ? amount : JSON.stringify(amount));

function mountCauses(container: JsonObject, { field, volumes }: ContainerContext): Cause[] {
  return jsonObjectsIn(container['volumeMounts']).flatMap((mount, index): Cause[] => {
    const name = jsonTextAt(mount, 'name');
    if (name === '') return [requiredCause(`${field}[${index}].name`)];
    if (!volumes.has(name)) {
      const message = `Not found: ${JSON.stringify(name)}`;
      return [{ reason: 'FieldValueNotFound', message, field: `${field}[${index}].name` }];
    }
    return validatePresence(`${field}[${index}].mountPath`, mount['mountPath']);
  });
}
