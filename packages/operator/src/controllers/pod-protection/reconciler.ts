import { parseKey, recheckAt, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { planProtection } from './plan.ts';
import { reportProtection } from './report.ts';

type ProtectionDeps = { readonly objects: Objects; readonly clock: Clock; readonly publish: Publisher };

/**
 * `pod.protection`: reports on a pod how long its `karpenter.sh/do-not-disrupt` protects it, and when the annotation is
 * invalid. Keys are pods.
 */
export function podProtection({ objects, clock, publish }: ProtectionDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    if (pod === undefined) return settled;
    const plan = planProtection(pod, clock.now());
    publish(reportProtection(pod, plan));
    return plan.kind === 'holds' ? recheckAt(plan.until) : settled;
  };
}
