import type { ServiceEndpoints } from '../snapshot.ts';
import type { MoveBlocker } from './gate.ts';

/**
 * Finds a Service that would lose its last ready endpoint: the others are on nodes in `going`, or are not ready yet. A
 * Service that has endpoints nowhere else is not kept here: no wait would help it.
 */
export function lastEndpointBlocker(
  node: string,
  services: readonly ServiceEndpoints[],
  going: ReadonlySet<string>,
): MoveBlocker | undefined {
  for (const { service, nodes, starting = 0 } of services) {
    if (!nodes.includes(node)) continue;
    const others = nodes.filter((each) => each !== node);
    if (others.length > 0 && others.every((each) => going.has(each))) {
      const where = others.toSorted().join(', ');
      return {
        gate: 'lastEndpoint',
        message: `Service ${service} has ready endpoints on this node and on ${where} only, which ${others.length === 1 ? 'is' : 'are'} going`,
      };
    }
    if (others.length === 0 && starting > 0)
      return {
        gate: 'lastEndpoint',
        message: `Service ${service} has ready endpoints on this node only, and ${starting === 1 ? '1 pod that is' : `${starting} pods that are`} not ready yet`,
      };
  }
  return undefined;
}
