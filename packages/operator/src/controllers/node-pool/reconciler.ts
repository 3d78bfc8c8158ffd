import { nodePoolNameOf } from '@nodewright/engine';
import { settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { ClusterState } from '../../state/cluster-state.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import type { RegistrationHistory } from '../../state/registration-history.ts';
import { planNodePool, type PoolAction, type PoolSnapshot } from './plan.ts';

type PoolDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly registrations: RegistrationHistory;
  readonly clock: Clock;
};

/** `nodepool.hash`, `.counter`, `.readiness`, `.validation` and `.registrationhealth` in one turn. Keys are pool names. */
export function nodePoolReconciler(deps: PoolDeps): Reconciler {
  return async (name) => {
    const seen = observe(deps, name);
    if (seen === undefined) return settled;
    for (const action of planNodePool(seen, deps.clock.now())) await perform(deps, seen, action);
    return settled;
  };
}

function observe({ objects, state }: PoolDeps, name: string): PoolSnapshot | undefined {
  const nodePool = objects.nodePools.get(name);
  if (nodePool === undefined || !isManagedNodeClass(nodePool.spec.template.spec.nodeClassRef)) return undefined;
  return {
    nodePool,
    nodeClass: objects.nodeClasses.get(nodePool.spec.template.spec.nodeClassRef.name),
    claims: objects.nodeClaims.by('nodePool', name),
    nodes: state.nodes().filter((node) => node.nodeClaim !== undefined && nodePoolNameOf(node) === name),
  };
}

async function perform(
  { objects, registrations }: PoolDeps,
  { nodePool }: PoolSnapshot,
  action: PoolAction,
): Promise<void> {
  switch (action.kind) {
    case 'migrateClaim':
      await objects.nodeClaims.save(action.claim, action.after);
      return;
    case 'forgetRegistrations':
      registrations.forget(nodePool);
      return;
    case 'write':
      await objects.nodePools.save(nodePool, action.after);
  }
}
