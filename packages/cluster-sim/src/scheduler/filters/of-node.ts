import type { Pod } from '@nodewright/apis';
import type { SchedulerFilter } from './filter.ts';
import { hostPortFilter } from './host-ports.ts';
import { selectionFilter } from './node-selection.ts';
import { resourceFilter } from './resources.ts';
import { cordonFilter, taintFilter } from './taints.ts';

/** Filters that read nothing but the node itself. */
export const filtersOfNode = (pod: Pod): readonly SchedulerFilter[] => [
  cordonFilter(pod),
  taintFilter(pod),
  selectionFilter(pod),
  hostPortFilter(pod),
  resourceFilter(pod),
];
