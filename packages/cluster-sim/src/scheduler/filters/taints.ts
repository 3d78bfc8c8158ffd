import type { Pod, Taint } from '@nodewright/apis';
import { firstUntolerated, isTolerated } from '../../placement/tolerations.ts';
import { noRefusal, type SchedulerFilter } from './filter.ts';

/** Passes nodes whose hard taints the pod tolerates. */
export const taintFilter =
  ({ spec }: Pod): SchedulerFilter =>
  ({ node }) => {
    const taint = firstUntolerated(node.spec?.taints, spec.tolerations);
    return taint === undefined ? noRefusal : [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  };

const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Passes nodes that are not cordoned. */
export const cordonFilter =
  ({ spec }: Pod): SchedulerFilter =>
  ({ node }) =>
    node.spec?.unschedulable === true && !isTolerated(unschedulable, spec.tolerations)
      ? ['node(s) were unschedulable']
      : noRefusal;
