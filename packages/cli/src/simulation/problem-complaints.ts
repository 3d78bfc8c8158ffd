import { readOwn } from '@nodewright/apis';
import {
  both,
  flag,
  isFields,
  labelValue,
  listOf,
  mapOf,
  number,
  objectOf,
  oneOf,
  optional,
  quantity,
  text,
  told,
  uniqueBy,
} from './field-checks.ts';
import type { Check } from './field-checks.ts';
import { metadata, nodeRequirement, pod } from './pod-checks.ts';

const instanceType = objectOf({
  name: text,
  requirements: mapOf(listOf(labelValue)),
  capacity: mapOf(quantity),
  overhead: optional(mapOf(quantity)),
  offerings: listOf(
    objectOf({
      zone: text,
      capacityType: oneOf('on-demand', 'spot', 'reserved'),
      price: number,
      available: flag,
      capacityOverride: optional(mapOf(quantity)),
      overheadOverride: optional(mapOf(quantity)),
    }),
  ),
});

const taints = optional(
  listOf(
    objectOf({
      key: text,
      value: optional(labelValue),
      effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    }),
  ),
);

const nodePool = objectOf({
  metadata,
  spec: objectOf({
    limits: optional(mapOf(quantity)),
    weight: optional(number),
    template: objectOf({
      metadata: optional(objectOf({ labels: optional(mapOf(labelValue)) })),
      spec: objectOf({
        nodeClassRef: objectOf({ group: text, kind: text, name: text }),
        requirements: optional(listOf(nodeRequirement)),
        taints,
        startupTaints: taints,
      }),
    }),
  }),
});

const amounts = optional(objectOf({ capacity: optional(mapOf(quantity)), allocatable: optional(mapOf(quantity)) }));

const machine = objectOf({
  node: optional(objectOf({ metadata, spec: optional(objectOf({ taints })), status: amounts })),
  nodeClaim: optional(objectOf({ metadata, spec: objectOf({ taints, startupTaints: taints }), status: amounts })),
  pods: optional(listOf(pod)),
});

type Named = { readonly metadata: { readonly name: string; readonly namespace?: string } };
type Machine = { readonly node?: Named; readonly nodeClaim?: Named };

const nameOf = ({ metadata }: Named): string => metadata.name;
const podName = ({ metadata }: Named): string => `${metadata.namespace ?? 'default'}/${metadata.name}`;

const someMachine: Check = (value, field) =>
  isFields(value) && value['node'] === undefined && value['nodeClaim'] === undefined
    ? [`${field} must have a node, a nodeClaim or both`]
    : [];

const checks: Readonly<Record<string, Check>> = {
  wellKnownLabels: optional(listOf(text)),
  instanceTypes: both(
    listOf(instanceType),
    uniqueBy(({ name }: { readonly name: string }) => name),
  ),
  nodePools: both(listOf(nodePool), uniqueBy(nameOf)),
  pods: both(listOf(pod), uniqueBy(podName)),
  daemonSetPods: optional(listOf(pod)),
  nodes: optional(
    both(
      listOf(both(machine, someMachine)),
      uniqueBy(({ node, nodeClaim }: Machine) => (node ?? nodeClaim)?.metadata.name ?? ''),
    ),
  ),
  namespaces: optional(listOf(objectOf({ metadata }))),
  options: optional(
    objectOf({
      preferencePolicy: optional(oneOf('Respect', 'Ignore')),
      minValuesPolicy: optional(oneOf('Strict', 'BestEffort')),
    }),
  ),
};

/** What a problem has, in the order in which complaints about it come. */
export const problemFields: readonly string[] = Object.keys(checks);

/** What of a problem cannot be read, a sentence for each field with its value and what would be right. */
export const problemComplaints = (file: unknown, fields: readonly string[]): readonly string[] =>
  isFields(file)
    ? fields.flatMap((field) => readOwn(checks, field)?.(readOwn(file, field), field) ?? [])
    : told('the file', 'an object', file);
