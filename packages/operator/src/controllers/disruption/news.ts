import type { NodeClaim } from '@nodewright/apis';
import { isEqual } from '../../objects/merge-diff.ts';

/** Whether a change of a claim can matter to a disruption or to the count of its pool: when its last pod event was, and how a condition is worded, cannot. */
export const isNewsOfClaim = (before: NodeClaim | undefined, after: NodeClaim | undefined): boolean =>
  before === undefined || after === undefined || !isEqual(readOf(before), readOf(after));

const readOf = ({ metadata, status }: NodeClaim): unknown => ({
  isLeaving: metadata.deletionTimestamp !== undefined,
  annotations: metadata.annotations,
  labels: metadata.labels,
  providerID: status?.providerID,
  capacity: status?.capacity,
  conditions: status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason]),
});
