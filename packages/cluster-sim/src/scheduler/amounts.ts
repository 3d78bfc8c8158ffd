import { millisOf, type Container, type Pod, type ResourceList } from '@nodewright/apis';

/** Thousandths of each resource; what is not named is zero. */
export type Amounts = ReadonlyMap<string, number>;

const none: Amounts = new Map();

export function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, quantity]) => [name, millisOf(quantity)]));
}

export const sum = (a: Amounts, b: Amounts): Amounts => combined(a, b, (left, right) => left + right);

export const difference = (a: Amounts, b: Amounts): Amounts => combined(a, b, (left, right) => left - right);

const larger = (a: Amounts, b: Amounts): Amounts => combined(a, b, Math.max);

function combined(a: Amounts, b: Amounts, combine: (left: number, right: number) => number): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, combine(a.get(name) ?? 0, amount));
  return result;
}

/**
 * What a pod takes of its node: its containers together, or its greediest moment of initialization
 * when that is more; requests of the pod as a whole stand above those. Counts as one pod.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function podRequests({ spec }: Pod): Amounts {
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  const running = [...spec.containers, ...sidecars].map(requestsOf).reduce(sum, none);
  const needed = new Map([
    ...larger(running, initPeak(spec.initContainers ?? [])),
    ...amountsOf(spec.resources?.requests),
  ]);
  return sum(sum(needed, amountsOf(spec.overhead)), onePod);
}

/** An init container runs beside the sidecars that were started before it. */
function initPeak(containers: readonly Container[]): Amounts {
  let started = none;
  let peak = none;
  for (const container of containers) {
    const together = sum(started, requestsOf(container));
    peak = larger(peak, together);
    if (isSidecar(container)) started = together;
  }
  return peak;
}

const onePod: Amounts = new Map([['pods', 1000]]);

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** A limit without a request requests as much. */
const requestsOf = ({ resources }: Container): Amounts => amountsOf({ ...resources?.limits, ...resources?.requests });
