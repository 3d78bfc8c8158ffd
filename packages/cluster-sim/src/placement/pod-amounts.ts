import { millisOf, type Container, type Pod, type ResourceList } from '@nodewright/apis';

/** Thousandths of each resource; what is not named is zero. */
export type Amounts = ReadonlyMap<string, number>;

const noAmounts: Amounts = new Map();

export function readAmounts(list: ResourceList | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, quantity]) => [name, millisOf(quantity)]));
}

export const addAmounts = (a: Amounts, b: Amounts): Amounts => combined(a, b, (left, right) => left + right);

export const subtractAmounts = (a: Amounts, b: Amounts): Amounts => combined(a, b, (left, right) => left - right);

const largerAmounts = (a: Amounts, b: Amounts): Amounts => combined(a, b, Math.max);

function combined(a: Amounts, b: Amounts, combine: (left: number, right: number) => number): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, combine(a.get(name) ?? 0, amount));
  return result;
}

/**
 * The amounts that a pod takes on its node: the sum of its containers, or the largest amount during initialization
 * when that is more. Requests of the pod as a whole replace both. The pod itself counts as one of `pods`.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function requestsOfPod({ spec }: Pod): Amounts {
  const sidecars = (spec.initContainers ?? []).filter(isSidecarContainer);
  const running = [...spec.containers, ...sidecars].map(requestsOfContainer).reduce(addAmounts, noAmounts);
  const needed = new Map([
    ...largerAmounts(running, initPeak(spec.initContainers ?? [])),
    ...readAmounts(spec.resources?.requests),
  ]);
  return addAmounts(addAmounts(needed, readAmounts(spec.overhead)), onePod);
}

/** An init container runs beside the sidecars that were started before it. */
function initPeak(containers: readonly Container[]): Amounts {
  let started = noAmounts;
  let peak = noAmounts;
  for (const container of containers) {
    const together = addAmounts(started, requestsOfContainer(container));
    peak = largerAmounts(peak, together);
    if (isSidecarContainer(container)) started = together;
  }
  return peak;
}

const onePod: Amounts = new Map([['pods', 1000]]);

const isSidecarContainer = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** A limit without a request requests as much. */
const requestsOfContainer = ({ resources }: Container): Amounts =>
  readAmounts({ ...resources?.limits, ...resources?.requests });
