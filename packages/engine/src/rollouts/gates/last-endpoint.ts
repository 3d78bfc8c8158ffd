import type { ServiceEndpoints } from '../snapshot.ts';
import type { MoveBlocker } from './gate.ts';

/**
 * The Service that would lose its last ready endpoint if the node went together with those that are going already.
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
