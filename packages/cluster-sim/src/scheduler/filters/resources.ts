import type { Pod } from '@nodewright/apis';
import { compareText } from '../../control-plane/object-key.ts';
import { podRequests } from '../amounts.ts';
import { fits, type NodeFilter } from './filter.ts';

/** Passes nodes with room for all that the pod requests. */
export function resourceFilter(pod: Pod): NodeFilter {
  const requests = [...podRequests(pod)].filter(([, amount]) => amount > 0).toSorted(([a], [b]) => compareText(a, b));
  return ({ allocatable, requested }) => {
    const short = requests.filter(
      ([name, amount]) => (requested.get(name) ?? 0) + amount > (allocatable.get(name) ?? 0),
    );
    return short.length === 0
      ? fits
      : short.map(([name]) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
  };
}
