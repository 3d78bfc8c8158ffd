import { type ResourceList, type Toleration, compareQuantities, parseQuantity, readOwn } from '@nodewright/apis';
import { forbiddenError, type StatusError } from '../../http/status-error.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView, WriteAttributes } from '../attributes.ts';

type RuntimeClass = ApiObject & {
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
};

type RuntimeSpec = {
  readonly runtimeClassName?: string;
  readonly overhead?: ResourceList;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
};

/** Gives a new pod the overhead, the node selector and the tolerations of its runtime class. */
export function applyRuntimeClass(attributes: WriteAttributes, { store }: AdmissionView): ApiObject {
  const { object, operation } = attributes;
  const spec = (object['spec'] ?? {}) as RuntimeSpec;
  const { runtimeClassName: name } = spec;
  if (operation !== 'CREATE' || (name === undefined && spec.overhead === undefined)) return object;
  const key = { namespace: '', name: name ?? '' };
  const found: RuntimeClass | undefined = store.collection('runtimeclasses.node.k8s.io').get(key);
  if (name !== undefined && found === undefined) {
    throw rejectedPod(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  }
  return {
    ...object,
    spec: { ...spec, ...overheadOf(attributes, spec, found), ...schedulingOf(attributes, spec, found) },
  };
}

function overheadOf(attributes: WriteAttributes, spec: RuntimeSpec, found: RuntimeClass | undefined): object {
  const fixed = found?.overhead?.podFixed;
  if (fixed === undefined) {
    return {};
  }
  if (spec.overhead === undefined || isSameList(spec.overhead, fixed)) return { overhead: fixed };
  throw rejectedPod(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

/** Refuses a pod with an overhead that no runtime class has. */
export function refuseOwnOverhead(attributes: AdmissionAttributes, { store }: AdmissionView): void {
  const { object, operation } = attributes;
  const spec = (object?.['spec'] ?? {}) as RuntimeSpec;
  if (operation !== 'CREATE' || object === undefined || spec.overhead === undefined) return;
  const key = { namespace: '', name: spec.runtimeClassName ?? '' };
  const found: RuntimeClass | undefined = store.collection('runtimeclasses.node.k8s.io').get(key);
  if (found?.overhead?.podFixed !== undefined) return;
  const because = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  throw forbiddenError(attributes.resource, object.metadata.name, because);
}

const isSameList = (a: ResourceList, b: ResourceList): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, amount]) => {
    const other = readOwn(b, name);
    return other !== undefined && compareQuantities(parseQuantity(amount), parseQuantity(other)) === 0;
  });

function schedulingOf(
  attributes: WriteAttributes,
  { nodeSelector = {}, tolerations = [] }: RuntimeSpec,
  found: RuntimeClass | undefined,
): object {
  const { scheduling } = found ?? {};
  if (scheduling === undefined) return {};
  const wanted = Object.entries(scheduling.nodeSelector ?? {});
  for (const [key, value] of wanted) {
    const own = readOwn(nodeSelector, key);
    if (own === undefined || own === value) continue;
    throw rejectedPod(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
    );
  }
  const known = new Set(tolerations.map((each) => JSON.stringify(each)));
  const added = (scheduling.tolerations ?? []).filter((each) => !known.has(JSON.stringify(each)));
  return {
    ...(wanted.length > 0 && { nodeSelector: { ...nodeSelector, ...Object.fromEntries(wanted) } }),
    ...(added.length > 0 && { tolerations: [...tolerations, ...added] }),
  };
}

const rejectedPod = ({ resource, object }: WriteAttributes, because: string): StatusError =>
  forbiddenError(resource, object.metadata.name, because);
