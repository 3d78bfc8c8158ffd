import { conditionOf, type EndpointSlice, type Pod, readOwn } from '@nodewright/apis';
import { isTerminal, type RolloutNode, type ServiceEndpoints } from '@nodewright/engine';
import type { Objects } from '../../state/objects.ts';
import { loadBalancerLabel } from '../node-group/names.ts';

const serviceLabel = 'kubernetes.io/service-name';

export type EndpointSources = {
  readonly objects: Pick<Objects, 'endpointSlices' | 'nodes' | 'pods'>;
  /** The names by which a plan knows nodes. */
  readonly planNames: ReadonlyMap<string, RolloutNode['name']>;
};

/**
 * The nodes on which each Service has ready endpoints. A node that leaves, or that load balancers are to leave out, counts
 * as one without endpoints; so does an endpoint that is about to end. Pods that are not ready, of the owners of those that
 * are, will be endpoints soon: EndpointSlices do not know them before they have an address.
 */
export function listServiceEndpoints({ objects, planNames }: EndpointSources): readonly ServiceEndpoints[] {
  const services = new Map<string, { readonly nodes: Set<string>; readonly owners: Set<string> }>();
  for (const slice of objects.endpointSlices.list()) {
    const service = serviceOfSlice(slice);
    if (service === undefined) continue;
    const known = services.get(service) ?? { nodes: new Set<string>(), owners: new Set<string>() };
    services.set(service, known);
    for (const endpoint of slice.endpoints ?? []) {
      const { conditions = {}, nodeName = '' } = endpoint;
      for (const owner of ownersOfEndpoint(objects, endpoint)) known.owners.add(owner);
      if (conditions.ready === false || conditions.terminating === true || !hasServingNode(objects, nodeName)) continue;
      known.nodes.add(planNames.get(nodeName) ?? nodeName);
    }
  }
  return [...services].flatMap(([service, { nodes, owners }]) => {
    if (nodes.size === 0) return [];
    const starting = nodes.size > 1 ? 0 : countStarting(objects, owners);
    return [{ service, nodes: [...nodes], ...(starting === 0 ? {} : { starting }) }];
  });
}

function serviceOfSlice({ metadata }: EndpointSlice): string | undefined {
  const name = readOwn(metadata.labels, serviceLabel);
  return name === undefined ? undefined : `${metadata.namespace ?? 'default'}/${name}`;
}

function hasServingNode({ nodes }: EndpointSources['objects'], name: string): boolean {
  const node = nodes.get(name);
  return (
    node !== undefined &&
    node.metadata.deletionTimestamp === undefined &&
    readOwn(node.metadata.labels, loadBalancerLabel) === undefined
  );
}

type ServiceEndpoint = NonNullable<EndpointSlice['endpoints']>[number];

function ownersOfEndpoint({ pods }: EndpointSources['objects'], { targetRef }: ServiceEndpoint): readonly string[] {
  if (targetRef?.kind !== 'Pod' || targetRef.name === undefined) return [];
  const { name, namespace = 'default' } = targetRef;
  const pod = pods.get(name, namespace);
  return (pod?.metadata.ownerReferences ?? []).map(({ uid }) => uid);
}

const countStarting = ({ pods }: EndpointSources['objects'], owners: ReadonlySet<string>): number =>
  [...owners].flatMap((uid) => pods.by('owner', uid)).filter(isStarting).length;

const isStarting = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined && !isTerminal(pod) && conditionOf(pod, 'Ready')?.status !== 'True';
