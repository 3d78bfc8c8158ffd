import { compareQuantities, isQuantity, parseQuantity } from '@nodewright/apis';
import { isLabel } from '../../schema/metadata/names.ts';
import { type Cause, invalid, required } from '../../schema/cause.ts';
import { at, isObject, type Json, type JsonObject, member, textAt } from '../../schema/json.ts';
import { isPort, objectsIn, oneOf, present, repeatedNames } from './checks.ts';

/** What is wrong with the containers of a pod. */
export function containerCauses(spec: JsonObject, field: string): Cause[] {
  const containers = objectsIn(spec['containers']);
  if (containers.length === 0) return [required(`${field}.containers`)];
  const volumes = objectsIn(spec['volumes']).map((volume) => textAt(volume, 'name'));
  return [
    ...listCauses(containers, { field: `${field}.containers`, volumes }),
    ...listCauses(objectsIn(spec['initContainers']), { field: `${field}.initContainers`, volumes }),
  ];
}

type Surroundings = { readonly field: string; readonly volumes: readonly string[] };

const listCauses = (containers: readonly JsonObject[], { field, volumes }: Surroundings): Cause[] => [
  ...containers.flatMap((container, index) => oneContainer(container, { field: `${field}[${index}]`, volumes })),
  ...repeatedNames(field, containers),
];

function oneContainer(container: JsonObject, { field, volumes }: Surroundings): Cause[] {
  const name = textAt(container, 'name');
  return [
    ...(name === '' ? [required(`${field}.name`)] : isLabel(name).map((text) => invalid(`${field}.name`, name, text))),
    ...present(`${field}.image`, container['image']),
    ...oneOf(`${field}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']),
    ...portCauses(container, `${field}.ports`),
    ...resourceCauses(container, `${field}.resources`),
    ...mountCauses(container, { field: `${field}.volumeMounts`, volumes }),
  ];
}

const portCauses = (container: JsonObject, field: string): Cause[] => [
  ...objectsIn(container['ports']).flatMap((port, index) => [
    ...(port['containerPort'] === undefined || port['containerPort'] === 0
      ? [required(`${field}[${index}].containerPort`)]
      : isPort(`${field}[${index}].containerPort`, port['containerPort'])),
    ...oneOf(`${field}[${index}].protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP']),
  ]),
  ...repeatedNames(field, objectsIn(container['ports'])),
];

function resourceCauses(container: JsonObject, field: string): Cause[] {
  const requests = at(container, 'resources', 'requests');
  const limits = at(container, 'resources', 'limits');
  return [
    ...amounts(limits).flatMap(([name, amount]) => amountCauses(`${field}.limits[${name}]`, amount)),
    ...amounts(requests).flatMap(([name, amount]) => amountCauses(`${field}.requests[${name}]`, amount)),
    ...amounts(requests).flatMap(([name, amount]) => {
      const limit = member(limits, name);
      return limit === undefined || !isMore(amount, limit)
        ? []
        : [invalid(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${printed(limit)}`)];
    }),
  ];
}

const amounts = (list: Json | undefined): [string, Json][] => (isObject(list) ? Object.entries(list) : []);

const amountCauses = (field: string, amount: Json): Cause[] =>
  isQuantity(amount) && parseQuantity(printed(amount)).nanos < 0n
    ? [invalid(field, amount, 'must be greater than or equal to 0')]
    : [];

const isMore = (a: Json, b: Json): boolean =>
  isQuantity(a) && isQuantity(b) && compareQuantities(parseQuantity(printed(a)), parseQuantity(printed(b))) > 0;

const printed = (amount: Json): string => (typeof amount === 'string' ? amount : JSON.stringify(amount));

function mountCauses(container: JsonObject, { field, volumes }: Surroundings): Cause[] {
  return objectsIn(container['volumeMounts']).flatMap((mount, index): Cause[] => {
    const name = textAt(mount, 'name');
    if (name === '') return [required(`${field}[${index}].name`)];
    if (!volumes.includes(name)) {
      const message = `Not found: ${JSON.stringify(name)}`;
      return [{ reason: 'FieldValueNotFound', message, field: `${field}[${index}].name` }];
    }
    return present(`${field}[${index}].mountPath`, mount['mountPath']);
  });
}
