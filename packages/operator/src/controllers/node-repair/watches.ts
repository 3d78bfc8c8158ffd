import type { Node, NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { nodesWith, ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { nodeRepair } from './reconciler.ts';

/**
 * `node.health` wakes for a node whose conditions change, or that comes to belong to a claim: a node may be unhealthy before
 * it is registered, and nothing about its conditions changes after that.
 */
export function startNodeRepair(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const repair = startNamed(host, 'node.health', (turn) => nodeRepair({ ...turn, objects }), { workers: 10 });
  wakeOnChange(objects.nodes, [[repair, ownName]], isNewsOfHealth);
  wakeOnChange(
    objects.nodeClaims,
    [[repair, ({ status }) => nodesWith(objects, status?.providerID)]],
    (before, after) => nameOfNode(before) !== nameOfNode(after),
  );
  return repair;
}

const nameOfNode = (claim: NodeClaim | undefined): string | undefined => claim?.status?.nodeName;

/** Conditions came, went, or became something else. */
const isNewsOfHealth = (before: Node | undefined, after: Node | undefined): boolean =>
  printNodeHealth(before) !== printNodeHealth(after);

const printNodeHealth = (node: Node | undefined): string =>
  JSON.stringify(
    (node?.status?.conditions ?? []).map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime]),
  );
