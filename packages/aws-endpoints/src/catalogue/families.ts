import type { CatalogueType } from './instance-type.ts';

type SizeName = 'large' | 'xlarge' | '2xlarge' | '4xlarge';

/** What a size means in every family, unless the family says otherwise. */
type FamilySize = {
  readonly name: SizeName;
  readonly vcpus: number;
  readonly interfaces: number;
  readonly addresses: number;
  readonly branches: number;
};

/** One line of the price list. Lists are in the order of sizes, from `large` up. */
export type InstanceFamily = {
  readonly name: string;
  readonly manufacturer: CatalogueType['manufacturer'];
  readonly hypervisor?: 'xen';
  readonly clockGhz: number;
  readonly mibPerVcpu: number;
  readonly networkMbps?: readonly number[];
  readonly ebsMbps?: readonly number[];
  readonly encryptionInTransit?: true;
  /** Of `large`; each size costs twice the one before. */
  readonly largeMicroUsdPerHour: number;
  readonly spotPercent: number;
  readonly sizes?: number;
  /** Interfaces and addresses where a size has others. */
  readonly network?: Partial<Record<SizeName, { readonly interfaces: number; readonly addresses: number }>>;
};

const sizes: readonly FamilySize[] = [
  { name: 'large', vcpus: 2, interfaces: 3, addresses: 10, branches: 9 },
  { name: 'xlarge', vcpus: 4, interfaces: 4, addresses: 15, branches: 18 },
  { name: '2xlarge', vcpus: 8, interfaces: 4, addresses: 15, branches: 38 },
  { name: '4xlarge', vcpus: 16, interfaces: 8, addresses: 30, branches: 54 },
];

/** Every type of a family. */
export const listFamilyTypes = (family: InstanceFamily): readonly CatalogueType[] =>
  sizes.slice(0, family.sizes ?? sizes.length).map((size, at) => buildFamilyType(family, size, at));

function buildFamilyType(family: InstanceFamily, size: FamilySize, at: number): CatalogueType {
  const network = family.network?.[size.name] ?? size;
  const [networkMbps, ebsMbps] = [family.networkMbps?.[at], family.ebsMbps?.[at]];
  return {
    name: `${family.name}.${size.name}`,
    arch: family.manufacturer === 'AWS' ? 'arm64' : 'amd64',
    manufacturer: family.manufacturer,
    hypervisor: family.hypervisor ?? 'nitro',
    sustainedClockGhz: family.clockGhz,
    vcpus: size.vcpus,
    memoryMib: size.vcpus * family.mibPerVcpu,
    interfaces: network.interfaces,
    addressesPerInterface: network.addresses,
    branchInterfaces: family.hypervisor === 'xen' ? 0 : size.branches,
    ...(networkMbps !== undefined && { networkMbps }),
    ...(ebsMbps !== undefined && { ebsMbps }),
    encryptionInTransit: family.encryptionInTransit ?? false,
    priceMicroUsdPerHour: family.largeMicroUsdPerHour * 2 ** at,
    spotPercent: family.spotPercent,
  };
}
