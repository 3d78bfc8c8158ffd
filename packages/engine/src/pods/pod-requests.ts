import type { Container, Pod, PodSpec, ResourceList } from '@nodewright/apis';
import type { Resources } from '../scheduling/instance-type.ts';
import { addResources, maxResources, noResources, resourcesOf } from '../scheduling/resources.ts';

/**
 * What a pod takes from a node: containers and sidecars together, or the widest moment of its
 * start if that is more, then pod-level requests in place of cpu, memory and huge pages, plus the
 * runtime's overhead, plus one of `pods`. A missing request counts as the limit.
 * @returns cpu in millicores, everything else in units
 * @see https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
 */
export function podRequests({ spec }: Pick<Pod, 'spec'>): Resources {
  let requests = known.get(spec);
  if (requests === undefined) {
    requests = requestsOfSpec(spec);
    known.set(spec, requests);
  }
  return requests;
}

/** Objects that were read never change, and every round asks for the same running pods again. */
const known = new WeakMap<PodSpec, Resources>();

function requestsOfSpec(spec: PodSpec): Resources {
  const running = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)].map(requestsOf);
  const containers = maxResources(running.reduce(addResources, noResources), widestStart(spec.initContainers ?? []));
  return addResources(addResources({ ...containers, ...podLevel(spec) }, resourcesOf(spec.overhead)), { pods: 1 });
}

const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';

/** Init containers run one after the other, each beside the sidecars that were started before it. */
function widestStart(initContainers: readonly Container[]): Resources {
  let sidecars = noResources;
  let widest = noResources;
  for (const container of initContainers) {
    const together = addResources(requestsOf(container), sidecars);
    if (isSidecar(container)) sidecars = together;
    widest = maxResources(widest, together);
  }
  return widest;
}

const requestsOf = (container: Container): Resources =>
  withLimits(container.resources?.requests, container.resources?.limits);

const withLimits = (requests: ResourceList | undefined, limits: ResourceList | undefined): Resources =>
  resourcesOf({ ...limits, ...requests });

const podLevel = (spec: PodSpec): Resources =>
  Object.fromEntries(
    Object.entries(withLimits(spec.resources?.requests, spec.resources?.limits)).filter(
      ([name]) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'),
    ),
  );
