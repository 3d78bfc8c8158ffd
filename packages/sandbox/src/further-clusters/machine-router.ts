import type { AwsAccount, BootedMachine, ClusterPlace, MachineListener } from '@nodewright/aws-endpoints';
import { readClusterName } from '@nodewright/cluster-sim';

type MachineRouterDeps = {
  /** The machines of this account that join no other cluster [none]. */
  readonly otherwise: MachineListener | undefined;
  readonly find: (place: ClusterPlace) => MachineListener | undefined;
};

/** Tells the kubelets of that cluster of a machine which its user data names. */
export function routeMachines(account: AwsAccount, { otherwise, find }: MachineRouterDeps): MachineListener {
  const listeners = new Map<string, MachineListener>();
  const listenerFor = (machine: BootedMachine): MachineListener | undefined => {
    const name = readClusterName(machine);
    return (name === undefined ? undefined : find({ account, name })) ?? otherwise;
  };
  return {
    launched(machine) {
      const listener = listenerFor(machine);
      if (listener === undefined) return;
      listeners.set(machine.instanceId, listener);
      listener.launched(machine);
    },
    stopping(instanceId) {
      listeners.get(instanceId)?.stopping(instanceId);
      listeners.delete(instanceId);
    },
    behaves: (instanceId, imposed) => listeners.get(instanceId)?.behaves(instanceId, imposed),
  };
}
