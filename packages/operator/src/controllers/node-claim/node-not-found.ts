import { conditionUnknown, type ConditionUpdate } from '@nodewright/apis';

/** What a claim waits for between its launch and its node. */
export const nodeNotFound = (type: 'Registered' | 'Initialized'): ConditionUpdate =>
  conditionUnknown(type, 'NodeNotFound', 'Node not registered with cluster');
