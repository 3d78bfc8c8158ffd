import { formatQuantity, parseQuantity, type Quantity, readOwn, type ResourceList, writeOwn } from '@nodewright/apis';

type LimitsAndRequests = { readonly limits?: ResourceList; readonly requests?: ResourceList };
type CountedContainer = { readonly resources?: LimitsAndRequests; readonly restartPolicy?: string };

export type CountedSpec = {
  readonly containers?: readonly CountedContainer[];
  readonly initContainers?: readonly CountedContainer[];
  readonly overhead?: ResourceList;
  readonly resources?: LimitsAndRequests;
};

/**
 * What a pod requests and what it is limited to: the sum of its containers and sidecars, or more where an init container
 * needs more, plus its overhead. Amounts for the whole pod take precedence.
 */
export const podAmounts = (spec: CountedSpec): { requests: ResourceList; limits: ResourceList } => ({
  requests: podList(spec, 'requests'),
  limits: podList(spec, 'limits'),
});

function podList(spec: CountedSpec, kind: 'requests' | 'limits'): ResourceList {
  const listOf = ({ resources }: CountedContainer): ResourceList => resources?.[kind] ?? {};
  let running = addedLists((spec.containers ?? []).map(listOf));
  let sidecars: ResourceList = {};
  let starting: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) sidecars = addedLists([sidecars, listOf(container)]);
    starting = largerList(starting, isSidecar ? sidecars : addedLists([sidecars, listOf(container)]));
  }
  running = { ...largerList(addedLists([running, sidecars]), starting), ...spec.resources?.[kind] };
  return withOverhead(running, spec, kind);
}

/** The overhead adds to limits that exist only. */
function withOverhead(list: ResourceList, { overhead }: CountedSpec, kind: 'requests' | 'limits'): ResourceList {
  if (overhead === undefined) return list;
  const counted = kind === 'requests' ? overhead : pickedList(overhead, (name) => Object.hasOwn(list, name));
  return addedLists([list, counted]);
}

const pickedList = (list: ResourceList, isWanted: (name: string) => boolean): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => isWanted(name)));

/** The sum of several lists. */
export const addedLists = (lists: readonly ResourceList[]): ResourceList =>
  lists.length === 1 ? (lists[0] ?? {}) : combined(lists, (a, b) => ({ ...a, nanos: a.nanos + b.nanos }));

const largerList = (a: ResourceList, b: ResourceList): ResourceList =>
  combined([a, b], (x, y) => (x.nanos >= y.nanos ? x : y));

function combined(lists: readonly ResourceList[], combine: (a: Quantity, b: Quantity) => Quantity): ResourceList {
  const result: Record<string, string | number> = {};
  for (const list of lists) {
    for (const [name, amount] of Object.entries(list)) {
      const before = readOwn(result, name);
      const next =
        before === undefined ? amount : formatQuantity(combine(parseQuantity(before), parseQuantity(amount)));
      writeOwn(result, name, next);
    }
  }
  return result;
}
