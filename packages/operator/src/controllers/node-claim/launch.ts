import type { OutOfCapacity } from '@nodewright/apis';
import type { LaunchOutcome, LaunchRequest } from '@nodewright/ports';
import { withMoreOutOfCapacity } from '../../state/out-of-capacity.ts';
import type { ClaimDeps, PerformedClaimAction } from './claim-deps.ts';
import { deleteClaim } from './delete-claim.ts';
import { claimAfterFailure } from './failed-launch.ts';
import { launchedClaim } from './launched-claim.ts';
import { tellPoolOfReplacement } from './replacement-outcome.ts';
import { reportLaunched, reportLaunchWarning } from './report.ts';

/** The only place that launches instances. A repeated call with the same attempt returns the same instance. */
export async function launchClaim(
  deps: ClaimDeps,
  request: LaunchRequest,
  signal: AbortSignal,
): Promise<PerformedClaimAction> {
  const { claim, nodeClass, attempt } = request;
  const outcome = await attemptLaunch(deps, request, signal);
  const now = deps.clock.now();
  switch (outcome.kind) {
    case 'launched': {
      const launched = launchedClaim(claim, nodeClass, outcome, now);
      await tellPoolOfReplacement(deps, claim, {});
      await deps.objects.nodeClaims.save(claim, launched);
      deps.publish(reportLaunched(launched));
      return {};
    }
    case 'insufficientCapacity':
      await noteOutOfCapacity(deps, nodeClass.metadata.name, outcome.outOf ?? []);
      return deleteClaim(deps, claim, {
        reason: 'insufficient_capacity',
        because: outcome.message,
        warning: outcome.warning,
      });
    case 'nodeClassNotReady':
      return deleteClaim(deps, claim, { reason: 'nodeclass_not_ready', because: outcome.message });
    case 'refused':
      deps.publish(reportLaunchWarning(claim, outcome.warning));
      await tellPoolOfReplacement(deps, claim, { failedBecause: outcome.message });
      await deps.objects.nodeClaims.save(
        claim,
        claimAfterFailure(claim, { ...outcome, nextAttempt: outcome.mayRepeat === true ? attempt : attempt + 1 }, now),
      );
      throw new Error(`launching ${claim.metadata.name} was refused (${outcome.reason}): ${outcome.message}`);
  }
}

/**
 * Writes what EC2 is out of on the NodeClass, before the claim goes. A process that dies here is followed by one that
 * knows it: without that each would begin with the same launch, and never come to what others wait for.
 */
async function noteOutOfCapacity(
  { objects, clock }: ClaimDeps,
  name: string,
  found: readonly OutOfCapacity[],
): Promise<void> {
  const nodeClass = objects.nodeClasses.get(name);
  if (nodeClass === undefined) return;
  const told = withMoreOutOfCapacity(nodeClass, found, clock.now());
  if (told !== nodeClass) await objects.nodeClasses.save(nodeClass, told);
}

/** Whether an instance exists is not known when the call fails: the claim tells of it, and the same attempt is made again. */
async function attemptLaunch(deps: ClaimDeps, request: LaunchRequest, signal: AbortSignal): Promise<LaunchOutcome> {
  try {
    return await deps.instances.launch(request, signal);
  } catch (error) {
    if (!signal.aborted) await tellOfFailure(deps, request, error);
    throw error;
  }
}

async function tellOfFailure(deps: ClaimDeps, { claim, attempt }: LaunchRequest, error: unknown): Promise<void> {
  const { objects, clock } = deps;
  const message = error instanceof Error ? error.message : String(error);
  await tellPoolOfReplacement(deps, claim, { failedBecause: message });
  const failed = { nextAttempt: attempt, reason: 'LaunchFailed', message };
  await objects.nodeClaims.save(claim, claimAfterFailure(claim, failed, clock.now()));
}
