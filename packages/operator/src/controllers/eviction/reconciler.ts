import type { Pod } from '@nodewright/apis';
import { EvictionRules, type EvictionBlocker } from '@nodewright/engine';
import { ApiError, backOff, settled, type Clock, type KubernetesClient, type Reconciler, type Result } from '@nodewright/runtime';
import { isNotFoundOrReplaced, objectKeyOf } from '../../objects/collection.ts';
import type { Counters } from '../../reporting/counters.ts';
import * as nodeReports from '../termination/report.ts';
import * as podReports from '../provisioning/report.ts';
import type { Reporter } from '../../reporting/report.ts';
import { findClaimOfNode } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { terminationDeadlineOf } from '../termination/observe.ts';
import { readEvictionKey } from './key.ts';
import { drainReason, planEviction, type EvictionAction, type EvictionSnapshot } from './plan.ts';

export type EvictionDeps = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly report: Reporter;
  readonly counters: Counters;
};

/** `eviction-queue`: asks one pod to leave until it does. Keys are those of `evictionKey`. */
export function evictionReconciler(deps: EvictionDeps): Reconciler {
  return async (key) => {
    const seen = observe(deps.objects, key);
    if (seen === undefined) return settled;
    return perform(deps, seen, planEviction(seen, deps.clock.now()));
  };
}

function observe(objects: Objects, key: string): EvictionSnapshot | undefined {
  const { namespace, name, uid } = readEvictionKey(key);
  const pod = objects.pods.get(name, namespace);
  if (pod === undefined || pod.metadata.uid !== uid) return undefined;
  const node = objects.nodes.get(pod.spec.nodeName ?? '');
  const claim = node && findClaimOfNode(objects, node);
  return { pod, node, claim, deadline: terminationDeadlineOf(claim) };
}

async function perform(deps: EvictionDeps, seen: EvictionSnapshot, action: EvictionAction): Promise<Result> {
  switch (action.kind) {
    case 'forget':
      return settled;
    case 'wait':
      return backOff;
    case 'evict':
      return requestEviction(deps, seen);
    case 'force':
      return deletePodByForce(deps, seen, action.graceSeconds);
  }
}

async function requestEviction(deps: EvictionDeps, { pod, node, claim }: EvictionSnapshot): Promise<Result> {
  const { client, counters, report } = deps;
  try {
    await client.evict(objectKeyOf(pod), withUid(pod));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    counters.evictionRequested(error.code);
    if (isNotFoundOrReplaced(error)) return settled;
    if (!isBudgetRefusal(error)) throw error;
    if (node !== undefined) report(nodeReports.evictionRefused(node, pod, findEvictionBlocker(deps, pod)));
    return backOff;
  }
  counters.evictionRequested(200);
  counters.podDrained(drainReason(claim));
  report(podReports.reportEvicted(pod, drainReason(claim)));
  return settled;
}

function findEvictionBlocker({ objects, clock }: EvictionDeps, pod: Pod): EvictionBlocker | undefined {
  const budgets = objects.podDisruptionBudgets.by('namespace', pod.metadata.namespace ?? '');
  return new EvictionRules(budgets).blockerOf(pod, clock.now());
}

async function deletePodByForce(
  deps: EvictionDeps,
  { pod, claim }: EvictionSnapshot,
  graceSeconds: number,
): Promise<Result> {
  deps.report(podReports.reportDisrupted(pod, graceSeconds));
  await deps.objects.pods.delete(pod, { gracePeriodSeconds: graceSeconds });
  deps.counters.podDrained(drainReason(claim));
  return settled;
}

/** 429 says that a budget has nothing left; 500 with these words that two budgets claim the pod. */
const isBudgetRefusal = ({ code, message }: ApiError): boolean =>
  code === 429 || (code === 500 && message.includes('more than one PodDisruptionBudget'));

const withUid = ({ metadata: { uid } }: Pod) => (uid === undefined ? {} : { preconditions: { uid } });
