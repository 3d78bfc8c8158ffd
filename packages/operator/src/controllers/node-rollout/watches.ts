import type { KubernetesObject } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { objectNames, wakeOnChange } from '../../hosting/wake.ts';
import type { Objects } from '../../state/objects.ts';
import { rolloutPolicyReconciler } from './reconciler.ts';

/**
 * `noderolloutpolicy` wakes all policies for a policy, NodePool or NodeGroup that changes: which policy governs an
 * object depends on all of them.
 */
export function startRolloutPolicyController(
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): Controller {
  const policies = startNamed(host, 'noderolloutpolicy', (turn) => rolloutPolicyReconciler({ ...turn, objects }), {
    workers: 1,
  });
  const all = (_object: KubernetesObject): readonly string[] => objectNames(objects.rolloutPolicies.list());
  wakeOnChange(objects.rolloutPolicies, [[policies, all]]);
  wakeOnChange(objects.nodePools, [[policies, all]]);
  wakeOnChange(objects.nodeGroups, [[policies, all]]);
  return policies;
}
