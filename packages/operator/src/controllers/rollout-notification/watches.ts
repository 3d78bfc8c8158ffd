import type { NodeRollout } from '@nodewright/apis';
import type { Controller, KubernetesClient, WebClient } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { Objects } from '../../state/objects.ts';
import { rolloutMessageReconciler } from './reconciler.ts';

export type MessageSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly clusterName: string;
};

/**
 * `rolloutnotification` wakes a NodeRollout when it has something to tell, and all of a policy whose spec changes: its
 * receivers may be others. A receiver that hangs holds back messages alone, never a rollout.
 */
export function startRolloutNotification(host: ControllerHost, sources: MessageSources): Controller {
  const { objects } = sources;
  const controller = startNamed(
    host,
    'rolloutnotification',
    (turn) => rolloutMessageReconciler({ ...turn, ...sources }),
    { workers: 2 },
  );
  wakeOnChange(objects.rollouts, [[controller, ownName]], hasOtherMessages);
  const rolloutsOf = ({ metadata }: { readonly metadata: { readonly name: string } }): readonly string[] =>
    objects.rollouts.by('policy', metadata.name).map((rollout) => rollout.metadata.name);
  wakeOnChange(objects.rolloutPolicies, [[controller, rolloutsOf]], isAnotherGeneration);
  return controller;
}

const hasOtherMessages = (before: NodeRollout | undefined, after: NodeRollout | undefined): boolean =>
  after?.status?.messages !== undefined && !isEqualDiffValue(before?.status?.messages, after.status.messages);
