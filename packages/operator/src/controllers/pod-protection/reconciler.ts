import { isActivePod, protectionOf } from '@nodewright/engine';
import { parseKey, recheckAt, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import * as reports from '../provisioning/report.ts';
import type { Reporter } from '../../reporting/report.ts';
import type { Objects } from '../../state/objects.ts';

type ProtectionDeps = { readonly objects: Objects; readonly clock: Clock; readonly report: Reporter };

/** Tells on a pod what its `karpenter.sh/do-not-disrupt` does for it, when that ends, and when it is no good. Keys are pods. */
export function podProtection({ objects, clock, report }: ProtectionDeps): Reconciler {
  return async (key) => {
    const { name, namespace } = parseKey(key);
    const pod = objects.pods.get(name, namespace);
    if (pod === undefined || !isActivePod(pod)) return settled;
    const protection = protectionOf(pod);
    if (protection.kind === 'invalid') report(reports.invalidProtection(pod, protection.value));
    if (protection.kind !== 'limited' || protection.until === undefined) return settled;
    if (clock.now() < protection.until) {
      report(reports.protectedUntil(pod, protection.until));
      return recheckAt(protection.until);
    }
    report(reports.protectionElapsed(pod));
    return settled;
  };
}
