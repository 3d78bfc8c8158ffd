import { byTextOf, inOrder, byNumberOf } from '@nodewright/apis';
import { forbiddenError, type StatusError } from '../../http/status-error.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import { changeMember } from '../../builtin/fill.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView, WriteAttributes } from '../attributes.ts';

type PriorityClass = ApiObject & {
  readonly value?: number;
  readonly preemptionPolicy?: string;
  readonly globalDefault?: boolean;
};

type PrioritizedSpec = {
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

const classCollection = 'priorityclasses.scheduling.k8s.io';
const usualPolicy = 'PreemptLowerPriority';

/** Gives a new pod the priority and the preemption policy of its class. */
export function computePriority(attributes: WriteAttributes, { store }: AdmissionView): ApiObject {
  const { object, operation } = attributes;
  if (operation === 'UPDATE') return withKnownPriority(attributes);
  if (operation !== 'CREATE') return object;
  const spec = (object['spec'] ?? {}) as PrioritizedSpec;
  const classes = store.collection(classCollection).list() as readonly PriorityClass[];
  const found = classOfPod(attributes, spec, classes);
  const { value: priority = 0, preemptionPolicy = usualPolicy } = found ?? {};
  refuseOtherPriority(attributes, spec, priority);
  refuseOtherPolicy(attributes, spec, preemptionPolicy);
  const computed = {
    ...(found !== undefined && { priorityClassName: found.metadata.name }),
    priority,
    preemptionPolicy,
  };
  return asApiObject(changeMember(asJson(object), 'spec', (pod) => ({ ...pod, ...computed })));
}

/** A client that does not know of priorities keeps those of the stored pod. */
function withKnownPriority({ object, old }: WriteAttributes): ApiObject {
  const [spec, before] = [object['spec'] ?? {}, old?.['spec'] ?? {}] as [PrioritizedSpec, PrioritizedSpec];
  const kept = {
    ...(spec.priority === undefined && before.priority !== undefined && { priority: before.priority }),
    ...(spec.preemptionPolicy === undefined &&
      before.preemptionPolicy !== undefined && { preemptionPolicy: before.preemptionPolicy }),
  };
  return Object.keys(kept).length === 0 ? object : { ...object, spec: { ...spec, ...kept } };
}

function classOfPod(
  attributes: WriteAttributes,
  { priorityClassName = '' }: PrioritizedSpec,
  classes: readonly PriorityClass[],
): PriorityClass | undefined {
  if (priorityClassName === '') return defaultClassOf(classes);
  const found = classes.find(({ metadata }) => metadata.name === priorityClassName);
  if (found !== undefined) return found;
  throw refusedPod(attributes, `no PriorityClass with name ${priorityClassName} was found`);
}

/** Of several default classes, the one with the lowest value. */
const defaultClassOf = (classes: readonly PriorityClass[]): PriorityClass | undefined =>
  classes.filter(({ globalDefault }) => globalDefault === true).toSorted(lowestFirst)[0];

const lowestFirst = inOrder<PriorityClass>(
  byNumberOf(({ value = 0 }) => value),
  byTextOf(({ metadata }) => metadata.name),
);

function refuseOtherPriority(attributes: WriteAttributes, spec: PrioritizedSpec, computed: number): void {
  if (spec.priority === undefined || spec.priority === computed) return;
  throw refusedPod(
    attributes,
    `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
  );
}

function refuseOtherPolicy(attributes: WriteAttributes, spec: PrioritizedSpec, computed: string): void {
  if (spec.preemptionPolicy === undefined || spec.preemptionPolicy === computed) return;
  throw refusedPod(
    attributes,
    `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
  );
}

const refusedPod = ({ resource, object }: WriteAttributes, because: string): StatusError =>
  forbiddenError(resource, object.metadata.name, because);

/** Refuses a second class that is the default of the cluster. */
export function refuseSecondDefaultPriority(attributes: AdmissionAttributes, { store }: AdmissionView): void {
  const { resource, name } = attributes;
  const object: PriorityClass | undefined = attributes.object;
  if (object?.globalDefault !== true) return;
  const classes = store.collection(classCollection).list() as readonly PriorityClass[];
  const other = classes.find(({ metadata, globalDefault }) => globalDefault === true && metadata.name !== name);
  if (other === undefined) return;
  const because = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
  throw forbiddenError(resource, name, because);
}
