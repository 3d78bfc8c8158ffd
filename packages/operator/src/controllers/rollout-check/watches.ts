import type { NodeClaim } from '@nodewright/apis';
import type { Controller, KubernetesClient, WebClient } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { conditionOf } from '@nodewright/apis';
import type { Objects } from '../../state/objects.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';
import { rolloutCheckReconciler } from './reconciler.ts';

export type CheckSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly clusterName: string;
};

/**
 * `rolloutcheck` wakes a NodeRollout that changes, of a policy whose spec changes, and when one of its new nodes is
 * initialized or leaves. A check that hangs holds back its own rollout alone.
 */
export function startRolloutChecks(host: ControllerHost, sources: CheckSources): Controller {
  const { objects } = sources;
  const controller = startNamed(host, 'rolloutcheck', (turn) => rolloutCheckReconciler({ ...turn, ...sources }), {
    workers: 2,
  });
  wakeOnChange(
    objects.rollouts,
    [[controller, ownName]],
    (before, after) => before?.status?.state !== after?.status?.state,
  );
  const rolloutsOf = ({ metadata }: { readonly metadata: { readonly name: string } }): readonly string[] =>
    objects.rollouts.by('policy', metadata.name).map((rollout) => rollout.metadata.name);
  wakeOnChange(objects.rolloutPolicies, [[controller, rolloutsOf]], isAnotherGeneration);
  const rolloutNames = (claim: NodeClaim): readonly string[] => [rolloutOfClaim(claim) ?? []].flat();
  wakeOnChange(objects.nodeClaims, [[controller, rolloutNames]], isAnotherMember);
  return controller;
}

const isAnotherMember = (before: NodeClaim | undefined, after: NodeClaim | undefined): boolean =>
  initialized(before) !== initialized(after) ||
  before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp;

const initialized = (claim: NodeClaim | undefined): string | undefined =>
  claim && conditionOf(claim, 'Initialized')?.status;
