import { karpenterLabels, kubernetesLabels } from '@nodewright/apis';
import { boughtLabelsOf, type NodeState } from '../../cluster/node-state.ts';
import type { InstanceType, Offering } from '../../instance-types/instance-type.ts';
import { typesByName } from '../../instance-types/types-by-name.ts';

/** The type and offering of a node; `undefined` when its type is not listed. Availability does not matter. */
export function boughtOffering(
  state: NodeState,
  types: readonly InstanceType[],
): { readonly instanceType: InstanceType; readonly offering: Offering | undefined } | undefined {
  const labels = boughtLabelsOf(state);
  const instanceType = typesByName(types).get(labels[kubernetesLabels.instanceType] ?? '');
  if (instanceType === undefined) return undefined;
  const { [kubernetesLabels.zone]: zone, [karpenterLabels.capacityType]: capacityType } = labels;
  const offering = instanceType.offerings.find((each) => each.zone === zone && each.capacityType === capacityType);
  return { instanceType, offering };
}
