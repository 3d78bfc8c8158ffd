import {
  oncePerObject,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodSpec,
  type ResourceList,
} from '@nodewright/apis';
import type { Resources } from '../instance-types/instance-type.ts';
import {
  addResources,
  amountsOf,
  maxResources,
  noResources,
  resourcesOf,
  toResourceList,
} from '../instance-types/resources.ts';

/**
 * What a pod takes from a node: containers and sidecars together, or the widest moment of its
 * start if that is more, then pod-level requests in place of cpu, memory and huge pages, plus the
 * runtime's overhead, plus one of `pods`. A missing request counts as the limit.
 * @returns cpu in millicores, everything else in units
 * @see https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
 */
export const podRequests = (pod: Pick<Pod, 'spec' | 'status'>): Resources =>
  isHeldApart(pod.status) ? requestsAsHeld(pod) : requestsAsAsked(pod.spec);

/** Of a pod whose containers hold something else than they ask for, as far as its status tells. */
const requestsAsHeld = oncePerObject((pod: Pick<Pod, 'spec' | 'status'>): Resources =>
  requestsOfSpec(specAsResized(pod)),
);

/** The status of a pod changes often, and its spec hardly ever. */
const requestsAsAsked = oncePerObject(requestsOfSpec);

const isHeldApart = (status: Pod['status']): boolean =>
  containerStatusesOf(status).some(({ resources, allocatedResources }) => resources?.requests ?? allocatedResources);

function containerStatusesOf(status: Pod['status']): readonly ContainerStatus[] {
  const { containerStatuses = noStatuses, initContainerStatuses = noStatuses } = status ?? {};
  return initContainerStatuses.length === 0 ? containerStatuses : [...containerStatuses, ...initContainerStatuses];
}

const noStatuses: readonly ContainerStatus[] = [];

/**
 * The spec with what its containers really hold while they are being resized in place: the most of
 * what is asked, granted and in use; without what is asked where that will never be granted.
 */
function specAsResized({ spec, status }: Pick<Pod, 'spec' | 'status'>): PodSpec {
  const held = new Map(
    containerStatusesOf(status)
      .filter(({ resources, allocatedResources }) => resources?.requests ?? allocatedResources)
      .map((container) => [container.name, container]),
  );
  const infeasible = isInfeasible(status);
  const withHeld = (container: Container): Container => {
    const { resources, allocatedResources } = held.get(container.name) ?? {};
    const lists = [resources?.requests, allocatedResources, ...(infeasible ? [] : [requestsAsWritten(container)])];
    const requests = lists.reduce<ResourceList>(largerAmounts, {});
    return held.has(container.name) ? { ...container, resources: { ...container.resources, requests } } : container;
  };
  return {
    ...spec,
    containers: spec.containers.map(withHeld),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withHeld) }),
  };
}

const requestsAsWritten = ({ resources }: Container): ResourceList => ({
  ...resources?.limits,
  ...resources?.requests,
});

const isInfeasible = (status: Pod['status']): boolean =>
  status?.resize === 'Infeasible' ||
  (status?.conditions?.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible') ?? false);

/** Of each resource the larger amount. */
const largerAmounts = (a: ResourceList, b: ResourceList | undefined): ResourceList =>
  b === undefined ? a : toResourceList(maxResources(resourcesOf(a), resourcesOf(b)));

const onePlace: Resources = { pods: 1 };

function requestsOfSpec(spec: PodSpec): Resources {
  const [only, second] = spec.containers;
  const isPlain =
    second === undefined && !spec.initContainers?.length && spec.overhead === undefined && spec.resources === undefined;
  if (isPlain && only !== undefined) return addResources(containerRequests(only), onePlace);
  const running = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecarContainer)].map(
    containerRequests,
  );
  const containers = maxResources(running.reduce(addResources, noResources), widestStart(spec.initContainers ?? []));
  return addResources(addResources({ ...containers, ...podLevel(spec) }, resourcesOf(spec.overhead)), onePlace);
}

const isSidecarContainer = (container: Container): boolean => container.restartPolicy === 'Always';

/** Init containers run one after the other, each beside the sidecars that were started before it. */
function widestStart(initContainers: readonly Container[]): Resources {
  let sidecars = noResources;
  let widest = noResources;
  for (const container of initContainers) {
    const together = addResources(containerRequests(container), sidecars);
    if (isSidecarContainer(container)) sidecars = together;
    widest = maxResources(widest, together);
  }
  return widest;
}

const containerRequests = (container: Container): Resources =>
  withLimits(container.resources?.requests, container.resources?.limits);

const withLimits = (requests: ResourceList | undefined, limits: ResourceList | undefined): Resources =>
  amountsOf(limits === undefined ? (requests ?? {}) : { ...limits, ...requests });

const podLevel = (spec: PodSpec): Resources =>
  Object.fromEntries(
    Object.entries(withLimits(spec.resources?.requests, spec.resources?.limits)).filter(
      ([name]) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'),
    ),
  );
