import { withLoneCondition, type CapacityBuffer } from '@nodewright/apis';
import { provisioningCondition, type BufferOutcome } from '@nodewright/engine';
import { ApiError, type Clock } from '@nodewright/runtime';
import { cacheKeyOf } from '../../objects/object-cache.ts';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { reportUntoldBuffer } from './report.ts';

type BufferReportDeps = { readonly objects: Objects; readonly clock: Clock; readonly publish: Publisher };

/**
 * Writes on every buffer whether its units got room in a round. A buffer that another client changes at the same moment is
 * written after the next round: nodes are not kept waiting for it.
 */
export async function tellBuffers(deps: BufferReportDeps, outcomes: ReadonlyMap<string, BufferOutcome>): Promise<void> {
  for (const buffer of deps.objects.capacityBuffers.list())
    await tellBuffer(deps, buffer, outcomes.get(cacheKeyOf(buffer)));
}

async function tellBuffer(
  { objects, clock, publish }: BufferReportDeps,
  buffer: CapacityBuffer,
  outcome: BufferOutcome | undefined,
): Promise<void> {
  const condition = provisioningCondition(buffer, outcome);
  if (condition === undefined) return;
  try {
    await objects.capacityBuffers.save(buffer, withLoneCondition(buffer, condition, clock.now()));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    publish(reportUntoldBuffer(cacheKeyOf(buffer), error));
  }
}
