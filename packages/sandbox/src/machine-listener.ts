import type { MachineListener } from '@nodewright/aws-endpoints';

/** The account exists before its kubelets do. */
export function laterListener(): { readonly listener: MachineListener; become(listener: MachineListener): void } {
  let current: MachineListener | undefined;
  const listener: MachineListener = {
    launched: (machine) => current?.launched(machine),
    stopping: (instanceId) => current?.stopping(instanceId),
    behaves: (instanceId, imposed) => current?.behaves(instanceId, imposed),
  };
  return { listener, become: (next) => (current = next) };
}
