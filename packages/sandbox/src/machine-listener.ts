import type { MachineListener } from './machine.ts';

/** The account exists before its kubelets do. */
export function laterListener(): { readonly listener: MachineListener; become(listener: MachineListener): void } {
  let current: MachineListener | undefined;
  const listener: MachineListener = {
    launched: (machine) => current?.launched(machine),
    stopping: (instanceId) => current?.stopping(instanceId),
  };
  return { listener, become: (next) => (current = next) };
}
