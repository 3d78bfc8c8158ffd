import { settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { pollCloud, type PollSources } from '../../state/poll-cloud.ts';
import type { Publisher } from '../../reporting/publisher.ts';
import type { DriftFindings } from '../../state/drift-findings.ts';
import { observeDrift, withFreshInstance, type DriftSources } from './observe.ts';
import { driftPollMs, findDrift, planClaimMarks, restsOnInstance } from './plan.ts';
import { reportClaimMarks } from './report.ts';

type DriftDeps = DriftSources &
  PollSources & {
    readonly clock: Clock;
    readonly publish: Publisher;
    readonly findings: DriftFindings;
  };

/**
 * `nodeclaim.disruption`: marks claims that no longer are what their pool asks for, and claims that may be consolidated.
 * Keys are claim names.
 */
export function driftReconciler(deps: DriftDeps): Reconciler {
  const { objects, clock, publish, findings } = deps;
  return async (name, signal) => {
    const seen = await observeDrift(deps, name, signal);
    if (seen === undefined) return settled;
    // What was once true of an instance must not make its claim drift, so EC2 is asked again.
    const current = restsOnInstance(seen, clock.now()) ? await withFreshInstance(deps, seen, signal) : seen;
    if (current.governed !== undefined) findings.record(name, findDrift(current, clock.now()));
    const plan = planClaimMarks(current, clock.now());
    publish(reportClaimMarks(seen.claim, plan));
    if (plan.after !== seen.claim) await objects.nodeClaims.save(seen.claim, plan.after);
    return pollCloud(deps, driftPollMs, { until: plan.recheckAt, about: 'market' });
  };
}
