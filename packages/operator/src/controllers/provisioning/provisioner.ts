import { disruptedTaint, formatDuration, type NodePool } from '@nodewright/apis';
import { bufferOutcomes, isProvisionable, whyUseless } from '@nodewright/engine';
import { parseKey, requeueAfter, settled, type Clock, type Reconciler, type Result } from '@nodewright/runtime';
import { noCompatibleInstanceTypes } from '../../reporting/pool-reports.ts';
import type { CacheChange } from '../../objects/object-cache.ts';
import type { Objects } from '../../state/objects.ts';
import { printSomeNames } from '../../reporting/some-of.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import { hasTaint } from '../../state/taints.ts';
import type { UnsyncedTime } from '../../state/unsynced-time.ts';
import type { BatchWindow } from './batch-window.ts';
import { tellBuffers } from './buffers.ts';
import { noteShortages } from './note-shortages.ts';
import { isReadyPool, observeRound, type RoundSnapshot, type RoundSources } from './observe.ts';
import { isUndecidedPool, passedOverIn } from './passed-over.ts';
import { performRound, tellOfIgnored, tellOfUnplaced, type RoundDeps } from './perform.ts';
import { planRound } from './plan.ts';
import type { PortionLimit } from './portion-limit.ts';
import { tellOfPreferences, type PreferenceDeps } from './preferences.ts';

const triggerAgainMs = 10_000;

type ProvisionerDeps = RoundSources &
  RoundDeps &
  PreferenceDeps & { readonly window: BatchWindow; readonly portion: PortionLimit; readonly unsynced: UnsyncedTime };

/** `provisioner`: one round after each batch window. */
export function createProvisioner(deps: ProvisionerDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    await deps.window.closed(signal);
    const begun = deps.clock.now();
    tellOfLaunches(deps);
    if (deps.state.launches.isAwaited(begun)) return startOver(deps.window);
    const seen = await observeRound(deps, begun, signal);
    tellOfIgnored(deps, seen.ignored);
    tellOfPreferences(deps, seen.pending);
    for (const { metadata } of seen.notReady)
      deps.log.error('ignoring nodepool, not ready', { NodePool: { name: metadata.name } });
    for (const { nodePool, error } of seen.failed) {
      deps.log.error('skipping, unable to resolve instance types', {
        NodePool: { name: nodePool.metadata.name },
        error,
      });
    }
    for (const { metadata } of seen.unevaluated)
      deps.log.debug('skipping, node overlays are not evaluated yet', { NodePool: { name: metadata.name } });
    tellOfUselessPools(deps, seen);
    await noteShortages(deps, seen.supplies);
    if (seen.supplies.length === 0) {
      deps.log.info('no dynamic nodepools found');
      tellOfPoolsAtRest(deps, seen);
      await tellBuffers(deps, bufferOutcomes({ existing: [], onNew: [], failed: seen.virtualPods }));
      return requeueAfter(0);
    }
    const round = { controller: 'provisioner', id: `${begun}` };
    deps.counters.roundAtWork(round, seen.pending.length, deps.clock.now() - begun);
    try {
      const plan = planRound(seen, deps.options, begun, () => deps.clock.now() - begun > deps.portion.ms);
      deps.portion.ended(plan.unreached);
      await performRound(deps, plan, deps.clock.now() - begun, signal);
      if (plan.unreached > 0) triggerNextRound(deps, plan.unreached);
    } finally {
      deps.counters.roundEnded(round);
    }
    return requeueAfter(0);
  };
}

/**
 * Nothing is launched from any pool: pods hear why, unless a pool is only about to be ready. Where
 * there is no pool at all, nobody expects nodes.
 */
function tellOfPoolsAtRest(deps: ProvisionerDeps, seen: RoundSnapshot): void {
  if (passedOverIn(seen).length === 0 || seen.notReady.some(isUndecidedPool)) return;
  tellOfUnplaced(deps, planRound(seen, deps.options, deps.clock.now()).unschedulable);
}

/** The pods that were not reached get their round at once, beside the nodes that this one has launched. */
function triggerNextRound({ log, window }: Pick<ProvisionerDeps, 'log' | 'window'>, unreached: number): void {
  log.info('launching what is found so far, others follow', { pods: unreached });
  window.trigger('pods were not reached in time');
}

/** Pools that can give no pod a node, as long as there are pods that need one. */
function tellOfUselessPools({ log, report, options }: ProvisionerDeps, { supplies, pending }: RoundSnapshot): void {
  if (pending.length === 0) return;
  for (const supply of supplies) {
    const short = whyUseless(supply, options.minValuesPolicy);
    if (short === undefined) continue;
    const resolved = supply.instanceTypes.length > 0;
    log.info(
      resolved
        ? 'skipping, nodepool requirements filtered out all instance types'
        : 'skipping, no resolved instance types found',
      { NodePool: { name: supply.nodePool.metadata.name } },
    );
    report(noCompatibleInstanceTypes(supply.nodePool, short));
  }
}

/** Launches that do not come about hold up pods. */
function tellOfLaunches({ unsynced, state, log }: ProvisionerDeps): void {
  if (!unsynced.isWorthTelling()) return;
  log.error('pods wait for nodeclaims that are not launched', {
    NodeClaims: printSomeNames(state.launches.underWay.map(({ metadata }) => metadata.name)),
    duration: formatDuration(unsynced.ms),
  });
}

/** A launch is under way whose size nobody knows yet: the pods wait for another window. */
function startOver(window: BatchWindow): Result {
  window.trigger('the cluster state is not synced');
  return requeueAfter(0);
}

type TriggerDeps = { readonly objects: Objects; readonly window: BatchWindow };
type PodTriggerDeps = TriggerDeps & { readonly podTimes: PodTimes; readonly clock: Clock };

/** `provisioner.trigger.pod`: a pod without a place asks for a round, again and again while it has none. Keys are pods. */
export function podTrigger({ objects, window, podTimes, clock }: PodTriggerDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    if (pod === undefined || !isProvisionable(pod)) return settled;
    podTimes.acknowledge(pod, clock.now());
    window.trigger(pod.metadata.uid ?? key);
    return requeueAfter(triggerAgainMs);
  };
}

/** `provisioner.trigger.node`: the pods of a node that is to go need a place. Keys are node names. */
export function nodeTrigger({ objects, window }: TriggerDeps): Reconciler {
  return async (name) => {
    const node = objects.nodes.get(name);
    if (node === undefined || !hasTaint(node.spec?.taints, disruptedTaint)) return settled;
    window.trigger(node.metadata.uid ?? name);
    return requeueAfter(triggerAgainMs);
  };
}

/** A pool that becomes ready may be what pods have waited for: they need not wait until they ask again. */
export const poolTrigger =
  ({ objects, window }: TriggerDeps) =>
  ({ before, after }: CacheChange<NodePool>): void => {
    if (after === undefined || !isReadyPool(after) || (before !== undefined && isReadyPool(before))) return;
    if (objects.pods.by('node', '').some(isProvisionable)) window.trigger(`nodepool ${after.metadata.name} is ready`);
  };
