import { type LabelSelector, labelSelectorPredicate, toTimestamp } from '@nodewright/apis';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { type ApiObject, storedKeyOf } from '../../storage/api-object.ts';
import { wrongTypeMessage } from '../accepted-object.ts';
import { asApiObject } from '../../resources/rules.ts';
import { admitSubresource } from '../admission.ts';
import type { RequestOutcome } from '../outcome.ts';
import { textOrEmpty } from '../../http/go-values.ts';
import { decodeObject } from '../../http/request-body.ts';
import { readWriteOptions } from '../request-options.ts';
import { badRequestError, internalError, StatusError } from '../../http/status-error.ts';
import { deleteAdmitted } from '../verbs/delete.ts';
import { type DeletionOptions, parseDeletionOptions } from '../verbs/delete-options.ts';
import { findExisting } from '../verbs/get.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { readSubresourceObject } from './subresource-body.ts';
import { statusSuccess } from './success.ts';

type EvictionCondition = { readonly type: string; readonly status: string };
type PodToEvict = { readonly status?: { readonly phase?: string; readonly conditions?: readonly EvictionCondition[] } };

type DisruptionBudget = ApiObject & {
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

const budgetCollection = 'poddisruptionbudgets.policy';

/** Deletes a pod unless a disruption budget forbids it. */
export function evictPod(world: ServerContext, call: ResourceCall): RequestOutcome {
  const { body, options } = readEviction(call);
  evictStored(world, call, body, options);
  return statusSuccess(201);
}

/** Deletes the pod of the path unless a disruption budget forbids it. */
export function evictStored(world: ServerContext, call: ObjectCall, body: JsonObject, options: DeletionOptions): void {
  const pod = findExisting(world, call);
  admitSubresource(world, call, asApiObject({ kind: 'Eviction', apiVersion: 'policy/v1', ...body }), pod, options);
  if (needsNoBudget(pod)) return deleteEvicted(world, call, pod, options);
  const [budget, ...others] = listBudgets(world, pod);
  if (others.length > 0) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (budget !== undefined && !isOutsideBudget(budget, pod)) spendDisruption(world, budget, pod, options);
  deleteEvicted(world, call, pod, options);
}

function readEviction(call: ResourceCall): { readonly body: JsonObject; readonly options: DeletionOptions } {
  const { dryRun } = readWriteOptions(call, 'CreateOptions');
  const received = decodeObject(call.body, call.headers['content-type'], 'Eviction');
  refuseOtherEviction(received, call.path.name);
  const body = readSubresourceObject({ group: 'policy', version: 'v1', kind: 'Eviction' }, received);
  const options = parseDeletionOptions(isObject(body['deleteOptions']) ? body['deleteOptions'] : {});
  return { body, options: { ...options, dryRun: dryRun || options.dryRun } };
}

const evictionVersions = ['policy/v1', 'policy/v1beta1'];

function refuseOtherEviction(
  { kind = 'Eviction', apiVersion = 'policy/v1', metadata }: JsonObject,
  name: string,
): void {
  if (kind !== 'Eviction' || !evictionVersions.includes(textOrEmpty(apiVersion))) {
    throw badRequestError(
      wrongTypeMessage(textOrEmpty(kind), textOrEmpty(apiVersion), { group: 'policy', kind: 'Eviction' }),
    );
  }
  const given = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof given === 'string' && given !== '' && given !== name) {
    throw badRequestError('name in URL does not match name in Eviction object');
  }
}

/** Pods that have finished, are pending or are being deleted do not count for a budget. */
function needsNoBudget(pod: ApiObject): boolean {
  const phase = (pod as unknown as PodToEvict).status?.phase;
  if (pod.metadata.deletionTimestamp !== undefined) return true;
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending';
}

function listBudgets({ store }: ServerContext, pod: ApiObject): readonly DisruptionBudget[] {
  const inNamespace = store.collection(budgetCollection).list(pod.metadata.namespace) as readonly DisruptionBudget[];
  return inNamespace.filter((budget) => labelSelectorPredicate(budget.spec?.selector)(pod.metadata.labels));
}

/**
 * Whether a pod that is not ready may go without the budget: its policy is `AlwaysAllow`, or enough other pods are
 * healthy.
 */
function isOutsideBudget({ spec, status }: DisruptionBudget, pod: ApiObject): boolean {
  if (isPodReadyToServe(pod)) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

const isPodReadyToServe = (pod: ApiObject): boolean =>
  ((pod as unknown as PodToEvict).status?.conditions ?? []).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );

/**
 * Takes one disruption from the budget and records the pod, so that the next eviction sees it before the disruption
 * controller does.
 */
function spendDisruption(
  { store, clock }: ServerContext,
  budget: DisruptionBudget,
  pod: ApiObject,
  { dryRun }: DeletionOptions,
): void {
  const { status = {}, metadata } = budget;
  const { disruptionsAllowed = 0, observedGeneration = 0 } = status;
  if (observedGeneration < (metadata.generation ?? 0)) throw unprocessedBudget(metadata.name);
  if (disruptionsAllowed <= 0) throw exhaustedBudget(budget);
  if (dryRun) return;
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name]: toTimestamp(clock.now()) };
  store.put(budgetCollection, {
    ...budget,
    status: { ...status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods },
  });
}

const evictionRefusal = "Cannot evict pod as it would violate the pod's disruption budget.";

function exhaustedBudget({ metadata, status }: DisruptionBudget): StatusError {
  const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  const message = `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return new StatusError(429, evictionRefusal, {
    reason: 'TooManyRequests',
    details: { causes: [{ reason: 'DisruptionBudget', message }] },
  });
}

const unprocessedBudget = (name: string): StatusError =>
  new StatusError(429, evictionRefusal, {
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

function deleteEvicted(world: ServerContext, call: ObjectCall, pod: ApiObject, options: DeletionOptions): void {
  const stored = world.store.collection('pods').get(storedKeyOf(pod));
  if (stored !== undefined && !options.dryRun && stored.metadata.deletionTimestamp === undefined) {
    world.store.put('pods', withDisruptionTarget(stored, toTimestamp(world.clock.now())));
  }
  deleteAdmitted(world, { ...call, path: { ...call.path, subresource: '' } }, options);
}

function withDisruptionTarget(pod: ApiObject, now: string): ApiObject {
  const { status } = pod as unknown as PodToEvict;
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
