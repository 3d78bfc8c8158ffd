import type { Taint } from '@nodewright/apis';

/** What user data tells a kubelet before it starts. Every form of user data comes down to this. */
export type Bootstrap = {
  readonly clusterName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  /** Resource or signal name to quantity text: `{ cpu: '70m', 'memory.available': '100Mi' }`. */
  readonly kubeReserved?: Readonly<Record<string, string>>;
  readonly systemReserved?: Readonly<Record<string, string>>;
  readonly evictionHard?: Readonly<Record<string, string>>;
  /** The disks that come with the instance are one array, on which pods and images lie. */
  readonly usesInstanceStore?: boolean;
  /** Pages of 2 MiB that are set aside for pods that ask for them. */
  readonly hugePages?: number;
};

/** User data that leads to no kubelet, with what a person would read in the machine's console. */
export type NoBootstrap = { readonly because: string };

export const isBootstrap = (found: Bootstrap | NoBootstrap): found is Bootstrap => 'clusterName' in found;
