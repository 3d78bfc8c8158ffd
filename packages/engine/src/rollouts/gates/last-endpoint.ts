import type { ServiceEndpoints } from '../snapshot.ts';
import type { MoveBlocker } from './gate.ts';

/**
 * Finds a Service whose last ready endpoint is on the node, when all nodes in `going` have left.
 * A Service whose endpoints are all on this one node is not kept here: no other node could help it.
 */
export function lastEndpointBlocker(
  node: string,
  services: readonly ServiceEndpoints[],
  going: ReadonlySet<string>,
): MoveBlocker | undefined {
  const service = services.find(({ nodes }) => {
    const others = nodes.filter((each) => each !== node);
    return nodes.includes(node) && others.length > 0 && others.every((each) => going.has(each));
  });
  if (service === undefined) return undefined;
  const others = service.nodes.filter((each) => each !== node).toSorted();
  return {
    gate: 'lastEndpoint',
    message: `Service ${service.service} has ready endpoints on this node and on ${others.join(', ')} only, which ${others.length === 1 ? 'is' : 'are'} going`,
  };
}
