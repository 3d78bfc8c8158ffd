import { conditionUnknown, type ConditionUpdate } from '@nodewright/apis';

/** What a claim waits for between its launch and its node. */
export const nodeNotFound = (type: 'Registered' | 'Initialized'): ConditionUpdate =>
  conditionUnknown(type, 'NodeNotFound', 'no node with the provider id of this claim has joined yet');
