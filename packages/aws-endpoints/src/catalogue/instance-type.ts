/** What EC2 sells: the facts of one instance type. */
export type CatalogueType = {
  /** `m6g.xlarge`. */
  readonly name: string;
  readonly arch: 'amd64' | 'arm64';
  readonly manufacturer: 'Intel' | 'AMD' | 'AWS';
  readonly hypervisor: 'nitro' | 'xen';
  readonly isBareMetal?: true;
  readonly sustainedClockGhz: number;
  readonly vcpus: number;
  readonly memoryMib: number;
  /** Network interfaces, the addresses of each, and the branch interfaces a trunk can carry. */
  readonly interfaces: number;
  readonly addressesPerInterface: number;
  readonly branchInterfaces: number;
  /** Where instances have several network cards, or may have elastic fabric adapters. Interfaces are those of one card. */
  readonly fabric?: { readonly cards: number; readonly adapters: number };
  /** Baselines; none where EC2 names none. */
  readonly networkMbps?: number;
  /** None for types that are not EBS-optimised by default. */
  readonly ebsMbps?: number;
  readonly encryptionInTransit: boolean;
  readonly gpu?: Devices & { readonly manufacturer: string };
  /** Inferentia and Trainium. */
  readonly neuron?: Devices & { readonly coresEach: number };
  /** Local disks, in GB. */
  readonly localNvmeGb?: number;
  /** On demand in us-east-1, in millionths of a dollar. Infinity where the price list has none. */
  readonly priceMicroUsdPerHour: number;
  /** What spot costs on average, in percent of on demand. */
  readonly spotPercent: number;
};

/** Devices of one kind. */
export type Devices = { readonly name: string; readonly count: number; readonly memoryMibEach: number };

/** Pods that get an address of their own, and two on the host's network. */
export const maxPodsOf = ({ interfaces, addressesPerInterface }: CatalogueType): number =>
  interfaces * (addressesPerInterface - 1) + 2;
