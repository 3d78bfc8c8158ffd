import type { MessageStatus } from '@nodewright/engine';
import type { Controller, KubernetesClient, WebClient } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { isAnotherGeneration, ownName, wakeOnChange } from '../../hosting/wake.ts';
import { isEqualDiffValue } from '../../objects/merge-diff.ts';
import type { Objects } from '../../state/objects.ts';
import { findPolicyMessages, findRolloutMessages } from './observe.ts';
import { rolloutMessageReconciler } from './reconciler.ts';

export type MessageSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly clusterName: string;
};

/**
 * `rolloutnotification` wakes a NodeRollout when it has something to tell, and all of a policy whose spec changes: its
 * receivers may be others. `rolloutpolicynotification` wakes a policy when there is something to tell of it itself. A receiver that hangs holds back messages alone, never a rollout.
 */
export function startRolloutNotification(host: ControllerHost, sources: MessageSources): readonly Controller[] {
  const { objects } = sources;
  const controller = startNamed(
    host,
    'rolloutnotification',
    (turn) => rolloutMessageReconciler({ ...turn, ...sources }, findRolloutMessages),
    { workers: 2 },
  );
  const policies = startNamed(
    host,
    'rolloutpolicynotification',
    (turn) => rolloutMessageReconciler({ ...turn, ...sources }, findPolicyMessages),
    { workers: 1 },
  );
  wakeOnChange(
    objects.rolloutPolicies,
    [[policies, ownName]],
    (before, after) => isAnotherGeneration(before, after) || hasOtherMessages(before, after),
  );
  wakeOnChange(objects.rollouts, [[controller, ownName]], hasOtherMessages);
  const rolloutsOf = ({ metadata }: { readonly metadata: { readonly name: string } }): readonly string[] =>
    objects.rollouts.by('policy', metadata.name).map((rollout) => rollout.metadata.name);
  wakeOnChange(objects.rolloutPolicies, [[controller, rolloutsOf]], isAnotherGeneration);
  return [controller, policies];
}

type WithMessages = { readonly status?: MessageStatus };

const hasOtherMessages = (before: WithMessages | undefined, after: WithMessages | undefined): boolean =>
  after?.status?.messages !== undefined && !isEqualDiffValue(before?.status?.messages, after.status.messages);
