import type { Pod } from '@nodewright/apis';
import { isSelected } from '../../placement/node-selection.ts';
import { noRefusal, type SchedulerFilter } from './filter.ts';

/** Passes nodes that the pod's selector and required node affinity choose. */
export const selectionFilter =
  (pod: Pod): SchedulerFilter =>
  ({ node }) =>
    isSelected(node, pod) ? noRefusal : ["node(s) didn't match Pod's node affinity/selector"];
