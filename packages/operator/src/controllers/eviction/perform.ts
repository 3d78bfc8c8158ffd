import type { Pod } from '@nodewright/apis';
import type { EvictionBlocker } from '@nodewright/engine';
import { ApiError, type Clock, type KubernetesClient } from '@nodewright/runtime';
import { isNotFoundOrReplaced, objectKeyOf } from '../../objects/collection.ts';
import type { Objects } from '../../state/objects.ts';
import type { GrantedEvictions } from './granted-evictions.ts';
import { findEvictionBlocker } from './observe.ts';
import type { EvictionAction, EvictionSnapshot } from './plan.ts';

export type EvictionClient = Pick<KubernetesClient, 'evict'>;

export type EvictionDeps = {
  readonly objects: Objects;
  readonly client: EvictionClient;
  readonly clock: Clock;
  readonly granted: GrantedEvictions;
};

/** How the attempt to make a pod leave ended. */
export type EvictionOutcome =
  | { readonly kind: 'nothingDone'; readonly isToBeAskedAgain: boolean }
  | { readonly kind: 'evicted' }
  /** The pod, or its place in the cluster, was gone already. */
  | { readonly kind: 'gone'; readonly code: number }
  | { readonly kind: 'refused'; readonly code: number; readonly blocker: EvictionBlocker | undefined }
  | { readonly kind: 'failed'; readonly code: number; readonly error: ApiError }
  | { readonly kind: 'forced'; readonly graceSeconds: number };

export async function performEviction(
  deps: EvictionDeps,
  { pod }: EvictionSnapshot,
  action: EvictionAction,
): Promise<EvictionOutcome> {
  switch (action.kind) {
    case 'forget':
      return { kind: 'nothingDone', isToBeAskedAgain: false };
    case 'wait':
      return { kind: 'nothingDone', isToBeAskedAgain: true };
    case 'evict':
      return requestEviction(deps, pod);
    case 'force':
      await deps.objects.pods.delete(pod, { gracePeriodSeconds: action.graceSeconds });
      return { kind: 'forced', graceSeconds: action.graceSeconds };
  }
}

async function requestEviction({ objects, client, clock, granted }: EvictionDeps, pod: Pod): Promise<EvictionOutcome> {
  try {
    await client.evict(objectKeyOf(pod), withUid(pod));
    granted.note(pod);
    return { kind: 'evicted' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code } = error;
    if (isNotFoundOrReplaced(error)) return { kind: 'gone', code };
    if (!isBudgetRefusal(error)) return { kind: 'failed', code, error };
    return { kind: 'refused', code, blocker: findEvictionBlocker(objects, pod, clock.now()) };
  }
}

/** 429 says that a budget has nothing left; 500 with these words that two budgets claim the pod. */
const isBudgetRefusal = ({ code, message }: ApiError): boolean =>
  code === 429 || (code === 500 && message.includes('more than one PodDisruptionBudget'));

const withUid = ({ metadata: { uid } }: Pod) => (uid === undefined ? {} : { preconditions: { uid } });
