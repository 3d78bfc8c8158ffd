import type { NodeClaim } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { nodesWith, ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { claimHydration, nodeHydration } from './reconciler.ts';

/** `nodeclaim.hydration` wakes for a claim that changes. */
export function startClaimHydration(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const hydration = startNamed(host, 'nodeclaim.hydration', () => claimHydration({ objects }), { workers: 10 });
  wakeOnChange(objects.nodeClaims, [[hydration, ownName]]);
  return hydration;
}

/** `node.hydration` wakes for a node that changes, and for the nodes of a claim that changes. */
export function startNodeHydration(host: ControllerHost, { objects }: { readonly objects: Objects }): Controller {
  const hydration = startNamed(host, 'node.hydration', () => nodeHydration({ objects }), { workers: 10 });
  const nodesOfClaim = ({ status }: NodeClaim): readonly string[] => nodesWith(objects, status?.providerID);
  wakeOnChange(objects.nodes, [[hydration, ownName]]);
  wakeOnChange(objects.nodeClaims, [[hydration, nodesOfClaim]]);
  return hydration;
}
