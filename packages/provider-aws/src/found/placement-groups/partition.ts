import { createHash } from 'node:crypto';
import { awsLabels, byNumberOf } from '@nodewright/apis';
import type { InstanceType, Offering } from '@nodewright/engine';

/** Id of the placement group that instances of the type are launched in. */
export const placementGroupIdOf = ({ requirements }: InstanceType): string | undefined =>
  onlyValue(requirements, awsLabels.placementGroupId);

/** The partition of its placement group that an offering is in. */
export const partitionOfOffering = ({ requirements }: Offering): string | undefined =>
  onlyValue(requirements, awsLabels.placementGroupPartition);

/**
 * The partition that a launch goes to, of those it may go to. It follows from the claim, so that the same call after a
 * restart is the same call; claims are spread over partitions.
 */
export function choosePartition(uid: string, partitions: readonly string[]): string | undefined {
  const sorted = [...new Set(partitions)].toSorted(byNumberOf((each) => Number(each)));
  const number = createHash('sha256').update(`${uid} partition`).digest().readUInt32BE();
  return sorted[number % sorted.length];
}

function onlyValue(requirements: Offering['requirements'], key: string): string | undefined {
  const values = requirements.get(key)?.values;
  return values?.size === 1 ? [...values][0] : undefined;
}
