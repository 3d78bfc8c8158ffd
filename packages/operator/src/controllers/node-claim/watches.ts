import type { Controller } from '@nodewright/runtime';
import { lifecycleBackoff, startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { claimsWith, objectNames, ownName, wakeOnChange } from '../../hosting/wake.ts';
import type { ClaimDeps } from './claim-deps.ts';
import type { ClaimSources } from './observe.ts';
import { claimReconciler } from './reconciler.ts';

type ClaimWatchSources = Pick<
  ClaimDeps & ClaimSources,
  'objects' | 'absences' | 'registrations' | 'overlays' | 'decisions'
>;

/**
 * `nodeclaim.lifecycle` wakes for a claim that changes, for the claim of a node that changes, for new nodes that a rollout
 * calls failed, and for the claims without an instance of an EC2NodeClass that changes or was looked at for them.
 */
export function startClaimLifecycle(host: ControllerHost, sources: ClaimWatchSources): Controller {
  const { objects, decisions } = sources;
  const claims = startNamed(host, 'nodeclaim.lifecycle', (turn) => claimReconciler({ ...turn, ...sources }), {
    workers: 1_000,
    backoff: lifecycleBackoff,
  });
  wakeOnChange(objects.nodeClaims, [[claims, ownName]]);
  wakeOnChange(objects.nodes, [[claims, ({ spec }) => claimsWith(objects, spec?.providerID)]]);
  wakeOnChange(objects.rollouts, [[claims, ({ status }) => (status?.failures ?? []).map(({ node }) => node)]]);
  const unlaunchedOf = (nodeClass: string): readonly string[] =>
    objectNames(objects.nodeClaims.by('unlaunchedOf', nodeClass));
  wakeOnChange(objects.nodeClasses, [[claims, ({ metadata }) => unlaunchedOf(metadata.name)]]);
  decisions.onLook((nodeClass) => {
    for (const claim of unlaunchedOf(nodeClass)) claims.enqueue(claim);
  });
  return claims;
}
