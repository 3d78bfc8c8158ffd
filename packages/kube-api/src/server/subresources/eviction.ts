import { type LabelSelector, labelSelectorPredicate, toTimestamp } from '@nodewright/apis';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { type ApiObject, keyOf } from '../../storage/api-object.ts';
import { wrongType } from '../accepted-object.ts';
import type { Outcome } from '../outcome.ts';
import { textOf } from '../../http/go-values.ts';
import { decodeObject } from '../../http/request-body.ts';
import { writeOptions } from '../request-options.ts';
import { badRequest, internalError, StatusError } from '../../http/status-error.ts';
import { deleteObject } from '../verbs/delete.ts';
import { type DeleteOptions, optionsOf } from '../verbs/delete-options.ts';
import { existing } from '../verbs/get.ts';
import type { Call, World } from '../world.ts';
import { statusSuccess } from './success.ts';

type Condition = { readonly type: string; readonly status: string };
type Pod = { readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] } };

type Budget = ApiObject & {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly observedGeneration?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
  };
};

const budgets = 'poddisruptionbudgets.policy';

/** Deletes a pod if no disruption budget stands against it. */
export function evict(world: World, call: Call): Outcome {
  const options = evictionOptions(call);
  const pod = existing(world, call);
  if (needsNoBudget(pod)) return evicted(world, call, pod, options);
  const [budget, ...others] = budgetsOf(world, pod);
  if (others.length > 0) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (budget !== undefined && !isFree(budget, pod)) spend(world, budget, pod, options);
  return evicted(world, call, pod, options);
}

function evictionOptions(call: Call): DeleteOptions {
  const { dryRun } = writeOptions(call, 'CreateOptions');
  const body = decodeObject(call.body, call.headers['content-type'], 'Eviction');
  refuseOther(body, call.path.name);
  const options = optionsOf(isObject(body['deleteOptions']) ? body['deleteOptions'] : {});
  return { ...options, dryRun: dryRun || options.dryRun };
}

function refuseOther({ kind = 'Eviction', apiVersion = 'policy/v1', metadata }: JsonObject, name: string): void {
  if (kind !== 'Eviction') {
    throw badRequest(wrongType(textOf(kind), textOf(apiVersion), { group: 'policy', kind: 'Eviction' }));
  }
  const given = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof given === 'string' && given !== '' && given !== name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
}

/** Pods that are done, not yet running or already going are nobody's availability. */
function needsNoBudget(pod: ApiObject): boolean {
  const phase = (pod as unknown as Pod).status?.phase;
  if (pod.metadata.deletionTimestamp !== undefined) return true;
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending';
}

function budgetsOf({ store }: World, pod: ApiObject): readonly Budget[] {
  const inNamespace = store.collection(budgets).list(pod.metadata.namespace) as readonly Budget[];
  return inNamespace.filter((budget) => labelSelectorPredicate(budget.spec?.selector)(pod.metadata.labels));
}

/** A pod that is not ready may go when its budget says so, or when the budget is kept without it. */
function isFree({ spec, status }: Budget, pod: ApiObject): boolean {
  if (isReady(pod)) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

const isReady = (pod: ApiObject): boolean =>
  ((pod as unknown as Pod).status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

/** Takes one disruption from the budget and notes the pod, so that the next eviction sees it before the controller does. */
function spend({ store, clock }: World, budget: Budget, pod: ApiObject, { dryRun }: DeleteOptions): void {
  const { status = {}, metadata } = budget;
  const { disruptionsAllowed = 0, observedGeneration = 0 } = status;
  if (observedGeneration < (metadata.generation ?? 0)) throw behind(metadata.name);
  if (disruptionsAllowed <= 0) throw blocked(budget);
  if (dryRun) return;
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name]: toTimestamp(clock.now()) };
  store.put(budgets, { ...budget, status: { ...status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods } });
}

const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";

function blocked({ metadata, status }: Budget): StatusError {
  const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  const message = `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return new StatusError(429, refusal, {
    reason: 'TooManyRequests',
    details: { causes: [{ reason: 'DisruptionBudget', message }] },
  });
}

const behind = (name: string): StatusError =>
  new StatusError(429, refusal, {
    reason: 'TooManyRequests',
    details: {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: `The disruption budget ${name} is still being processed by the server.`,
        },
      ],
      retryAfterSeconds: 10,
    },
  });

function evicted(world: World, call: Call, pod: ApiObject, options: DeleteOptions): Outcome {
  const stored = world.store.collection('pods').get(keyOf(pod));
  if (stored !== undefined && !options.dryRun && stored.metadata.deletionTimestamp === undefined) {
    world.store.put('pods', withDisruptionTarget(stored, toTimestamp(world.clock.now())));
  }
  deleteObject(world, { ...call, path: { ...call.path, subresource: '' } }, options);
  return statusSuccess(201);
}

function withDisruptionTarget(pod: ApiObject, now: string): ApiObject {
  const { status } = pod as unknown as Pod;
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  return { ...pod, status: { ...status, conditions: [...others, condition] } };
}
