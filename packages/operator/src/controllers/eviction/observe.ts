import type { Instant, Pod } from '@nodewright/apis';
import { EvictionRules, type EvictionBlocker } from '@nodewright/engine';
import { findClaimOfNode } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { terminationDeadlineOf } from './draining.ts';
import type { GrantedEvictions } from './granted-evictions.ts';
import { readEvictionKey } from './key.ts';
import type { EvictionSnapshot } from './plan.ts';

/** @param key of `evictionKey`; another pod of the same name does not count */
export function observeEviction(
  { objects, granted }: { readonly objects: Objects; readonly granted: GrantedEvictions },
  key: string,
): EvictionSnapshot | undefined {
  const { namespace, name, uid } = readEvictionKey(key);
  const pod = objects.pods.get(name, namespace);
  if (pod === undefined || pod.metadata.uid !== uid) return undefined;
  const node = objects.nodes.get(pod.spec.nodeName ?? '');
  const claim = node && findClaimOfNode(objects, node);
  return { pod, node, claim, deadline: terminationDeadlineOf(claim), isGranted: granted.has(pod) };
}

/** What refuses the eviction of a pod, as far as the cache tells. */
export function findEvictionBlocker(objects: Objects, pod: Pod, now: Instant): EvictionBlocker | undefined {
  const budgets = objects.podDisruptionBudgets.by('namespace', pod.metadata.namespace ?? '');
  return new EvictionRules(budgets).blockerOf(pod, now);
}
