import { type Pod, byTextOf } from '@nodewright/apis';
import { requestsOfPod } from '../../placement/pod-amounts.ts';
import { noRefusal, type SchedulerFilter } from './filter.ts';

/** Passes nodes with room for all that the pod requests. */
export function resourceFilter(pod: Pod): SchedulerFilter {
  const requests = [...requestsOfPod(pod)].filter(([, amount]) => amount > 0).toSorted(byTextOf(([name]) => name));
  return ({ allocatable, requested }) => {
    const short = requests.filter(
      ([name, amount]) => (requested.get(name) ?? 0) + amount > (allocatable.get(name) ?? 0),
    );
    return short.length === 0
      ? noRefusal
      : short.map(([name]) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
  };
}
