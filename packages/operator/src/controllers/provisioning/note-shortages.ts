import type { PoolSupply } from '@nodewright/engine';
import { ApiError, type Clock } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { outOfCapacityIn, withOutOfCapacity } from '../../state/out-of-capacity.ts';
import { reportUnnotedShortage } from './report.ts';

type ShortageDeps = { readonly objects: Objects; readonly clock: Clock; readonly publish: Publisher };

/** Writes on each NodeClass what the round has seen the cloud to be out of. No round fails for it: the next one writes it. */
export async function noteShortages(deps: ShortageDeps, supplies: readonly PoolSupply[]): Promise<void> {
  const typesOf = new Map(
    supplies.map(({ nodePool, instanceTypes }) => [nodePool.spec.template.spec.nodeClassRef.name, instanceTypes]),
  );
  for (const [name, types] of typesOf) await noteShortage(deps, name, types);
}

async function noteShortage(
  { objects, clock, publish }: ShortageDeps,
  name: string,
  types: PoolSupply['instanceTypes'],
): Promise<void> {
  const nodeClass = objects.nodeClasses.get(name);
  if (nodeClass === undefined) return;
  const after = withOutOfCapacity(nodeClass, outOfCapacityIn(types), clock.now());
  if (after === nodeClass) return;
  try {
    await objects.nodeClasses.save(nodeClass, after);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    publish(reportUnnotedShortage(name, error));
  }
}
