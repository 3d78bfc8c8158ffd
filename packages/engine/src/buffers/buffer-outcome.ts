import { conditionFalse, conditionTrue, isConditionTrue } from '@nodewright/apis';
import type { CapacityBuffer, ConditionUpdate, Pod } from '@nodewright/apis';
import { bufferNameOf } from './virtual-pods.ts';

/** Where the units of a buffer would go: on nodes that are there, on new ones, nowhere. */
export type BufferOutcome = { readonly existing: number; readonly onNew: number; readonly failed: number };

type PlacedBufferPods = {
  readonly existing: Iterable<Pod>;
  readonly onNew: Iterable<Pod>;
  readonly failed: Iterable<Pod>;
};

const noBufferPods: BufferOutcome = { existing: 0, onNew: 0, failed: 0 };

/** What a round found for each buffer, by `namespace/name`. Real pods do not count. */
export function bufferOutcomes(placed: PlacedBufferPods): ReadonlyMap<string, BufferOutcome> {
  const outcomes = new Map<string, BufferOutcome>();
  for (const where of ['existing', 'onNew', 'failed'] as const) {
    for (const pod of placed[where]) {
      const buffer = bufferNameOf(pod);
      if (buffer === undefined) continue;
      const before = outcomes.get(buffer) ?? noBufferPods;
      outcomes.set(buffer, { ...before, [where]: before[where] + 1 });
    }
  }
  return outcomes;
}

/** The condition `Provisioning` of a buffer after a round; `undefined` when the round says nothing about it. */
export function provisioningCondition(
  buffer: CapacityBuffer,
  { existing, onNew, failed }: BufferOutcome = noBufferPods,
): ConditionUpdate | undefined {
  const type = 'Provisioning';
  if (!isConditionTrue(buffer, 'ReadyForProvisioning')) {
    return conditionFalse(type, 'NotReadyForProvisioning', 'it is not known what a unit of the buffer is');
  }
  if ((buffer.status?.replicas ?? 0) === 0) return conditionFalse(type, 'BufferEmpty', 'the buffer has no units');
  const all = existing + onNew + failed;
  if (onNew + failed > 0) {
    const message = `${existing} of ${all} units have room; ${onNew} wait for new nodes, ${failed} cannot have one`;
    return conditionFalse(type, 'RequiresNewCapacity', message);
  }
  return all === 0 ? undefined : conditionTrue(type, 'FitsExistingCapacity', `all ${all} units have room`);
}
