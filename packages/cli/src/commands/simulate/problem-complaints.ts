import { readOwn } from '@nodewright/apis';
import {
  checkBoth,
  checkFlag,
  isFieldMap,
  checkLabelValue,
  checkList,
  checkMap,
  checkNumberField,
  checkObject,
  checkOneOf,
  checkOptional,
  checkQuantity,
  checkTextField,
  describeWrongField,
  uniqueBy,
} from './field-checks.ts';
import type { FieldCheck } from './field-checks.ts';
import { checkPodMetadata, nodeRequirement, checkPod } from './pod-checks.ts';

const instanceType = checkObject({
  name: checkTextField,
  requirements: checkMap(checkList(checkLabelValue)),
  capacity: checkMap(checkQuantity),
  overhead: checkOptional(checkMap(checkQuantity)),
  offerings: checkList(
    checkObject({
      zone: checkTextField,
      capacityType: checkOneOf('on-demand', 'spot', 'reserved'),
      price: checkNumberField,
      available: checkFlag,
      capacityOverride: checkOptional(checkMap(checkQuantity)),
      overheadOverride: checkOptional(checkMap(checkQuantity)),
    }),
  ),
});

const taints = checkOptional(
  checkList(
    checkObject({
      key: checkTextField,
      value: checkOptional(checkLabelValue),
      effect: checkOneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    }),
  ),
);

const nodePool = checkObject({
  metadata: checkPodMetadata,
  spec: checkObject({
    limits: checkOptional(checkMap(checkQuantity)),
    weight: checkOptional(checkNumberField),
    template: checkObject({
      metadata: checkOptional(checkObject({ labels: checkOptional(checkMap(checkLabelValue)) })),
      spec: checkObject({
        nodeClassRef: checkObject({ group: checkTextField, kind: checkTextField, name: checkTextField }),
        requirements: checkOptional(checkList(nodeRequirement)),
        taints,
        startupTaints: taints,
      }),
    }),
  }),
});

const checkAmounts = checkOptional(
  checkObject({
    capacity: checkOptional(checkMap(checkQuantity)),
    allocatable: checkOptional(checkMap(checkQuantity)),
  }),
);

const machine = checkObject({
  node: checkOptional(
    checkObject({ metadata: checkPodMetadata, spec: checkOptional(checkObject({ taints })), status: checkAmounts }),
  ),
  nodeClaim: checkOptional(
    checkObject({
      metadata: checkPodMetadata,
      spec: checkObject({ taints, startupTaints: taints }),
      status: checkAmounts,
    }),
  ),
  pods: checkOptional(checkList(checkPod)),
});

type NamedMachine = { readonly metadata: { readonly name: string; readonly namespace?: string } };
type ProblemMachine = { readonly node?: NamedMachine; readonly nodeClaim?: NamedMachine };

const nameOfMachine = ({ metadata }: NamedMachine): string => metadata.name;
const printPodName = ({ metadata }: NamedMachine): string => `${metadata.namespace ?? 'default'}/${metadata.name}`;

const someMachine: FieldCheck = (value, field) =>
  isFieldMap(value) && value['node'] === undefined && value['nodeClaim'] === undefined
    ? [`${field} must have a node, a nodeClaim or both`]
    : [];

const problemChecks: Readonly<Record<string, FieldCheck>> = {
  wellKnownLabels: checkOptional(checkList(checkTextField)),
  instanceTypes: checkBoth(
    checkList(instanceType),
    uniqueBy(({ name }: { readonly name: string }) => name),
  ),
  nodePools: checkBoth(checkList(nodePool), uniqueBy(nameOfMachine)),
  pods: checkBoth(checkList(checkPod), uniqueBy(printPodName)),
  daemonSetPods: checkOptional(checkList(checkPod)),
  nodes: checkOptional(
    checkBoth(
      checkList(checkBoth(machine, someMachine)),
      uniqueBy(({ node, nodeClaim }: ProblemMachine) => (node ?? nodeClaim)?.metadata.name ?? ''),
    ),
  ),
  namespaces: checkOptional(checkList(checkObject({ metadata: checkPodMetadata }))),
  options: checkOptional(
    checkObject({
      preferencePolicy: checkOptional(checkOneOf('Respect', 'Ignore')),
      minValuesPolicy: checkOptional(checkOneOf('Strict', 'BestEffort')),
    }),
  ),
};

/** What a problem has, in the order in which complaints about it come. */
export const problemFields: readonly string[] = Object.keys(problemChecks);

/** What of a problem cannot be read, a sentence for each field with its value and what would be right. */
export const problemComplaints = (file: unknown, fields: readonly string[]): readonly string[] =>
  isFieldMap(file)
    ? fields.flatMap((field) => readOwn(problemChecks, field)?.(readOwn(file, field), field) ?? [])
    : describeWrongField('the file', 'an object', file);
