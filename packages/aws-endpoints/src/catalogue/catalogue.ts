import { byTextOf } from '@nodewright/apis';
import { acceleratedTypes } from './accelerated.ts';
import { makeLazily } from '../codec/lazily.ts';
import { burstableTypes } from './burstable.ts';
import { findCurrentType } from './current-types.ts';
import { listFamilyTypes, type InstanceFamily } from './families.ts';
import type { CatalogueType } from './instance-type.ts';

const network5 = [750, 1250, 2500, 5000];
const network6 = [781, 1562, 3125, 6250];
const network7g = [937, 1876, 3750, 7500];
const ebs5 = [4750, 4750, 4750, 4750];
const ebs6 = [10_000, 10_000, 10_000, 10_000];

const xeon5 = { manufacturer: 'Intel', networkMbps: network5, ebsMbps: ebs5 } as const;
const xeon6 = { manufacturer: 'Intel', networkMbps: network6, ebsMbps: ebs6, encryptionInTransit: true } as const;
const epyc6 = {
  manufacturer: 'AMD',
  clockGhz: 3.6,
  networkMbps: network6,
  ebsMbps: ebs6,
  encryptionInTransit: true,
} as const;
const graviton2 = { manufacturer: 'AWS', clockGhz: 2.5, networkMbps: network5, ebsMbps: ebs5 } as const;
const graviton3 = {
  manufacturer: 'AWS',
  clockGhz: 2.6,
  networkMbps: network7g,
  ebsMbps: ebs6,
  encryptionInTransit: true,
} as const;

/** Families by name. Prices are those of us-east-1. */
const catalogueFamilies: readonly InstanceFamily[] = [
  { name: 'c5', ...xeon5, clockGhz: 3.4, mibPerVcpu: 2048, largeMicroUsdPerHour: 85_000, spotPercent: 42 },
  { name: 'c6a', ...epyc6, mibPerVcpu: 2048, largeMicroUsdPerHour: 76_500, spotPercent: 44 },
  { name: 'c6g', ...graviton2, mibPerVcpu: 2048, largeMicroUsdPerHour: 68_000, spotPercent: 46 },
  { name: 'c6i', ...xeon6, clockGhz: 3.5, mibPerVcpu: 2048, largeMicroUsdPerHour: 85_000, spotPercent: 43 },
  { name: 'c7g', ...graviton3, mibPerVcpu: 2048, largeMicroUsdPerHour: 72_500, spotPercent: 47 },
  {
    name: 'm3',
    manufacturer: 'Intel',
    hypervisor: 'xen',
    clockGhz: 2.5,
    mibPerVcpu: 3840,
    largeMicroUsdPerHour: 133_000,
    spotPercent: 48,
    sizes: 3,
    network: { '2xlarge': { interfaces: 4, addresses: 30 } },
  },
  {
    name: 'm4',
    manufacturer: 'Intel',
    hypervisor: 'xen',
    clockGhz: 2.4,
    mibPerVcpu: 4096,
    ebsMbps: [450, 750, 1000, 2000],
    largeMicroUsdPerHour: 100_000,
    spotPercent: 45,
    network: { large: { interfaces: 2, addresses: 10 } },
  },
  { name: 'm5', ...xeon5, clockGhz: 3.1, mibPerVcpu: 4096, largeMicroUsdPerHour: 96_000, spotPercent: 41 },
  { name: 'm6a', ...epyc6, mibPerVcpu: 4096, largeMicroUsdPerHour: 86_400, spotPercent: 43 },
  { name: 'm6g', ...graviton2, mibPerVcpu: 4096, largeMicroUsdPerHour: 77_000, spotPercent: 35 },
  { name: 'm7i', ...xeon6, clockGhz: 3.2, mibPerVcpu: 4096, largeMicroUsdPerHour: 100_800, spotPercent: 46 },
  { name: 'r5', ...xeon5, clockGhz: 3.1, mibPerVcpu: 8192, largeMicroUsdPerHour: 126_000, spotPercent: 40 },
  { name: 'r6g', ...graviton2, mibPerVcpu: 8192, largeMicroUsdPerHour: 100_800, spotPercent: 38 },
];

const typesByName = new Map(
  [...catalogueFamilies.flatMap(listFamilyTypes), ...acceleratedTypes].map((type) => [type.name, type]),
);

const sortedTypes = makeLazily(() => [...typesByName.values()].toSorted(byTextOf(({ name }) => name)));

/** Lists the types of the small catalogue, sorted by name. */
export const allTypes = (): readonly CatalogueType[] => sortedTypes();

/** Finds a type of either catalogue. */
export const typeNamed = (name: string): CatalogueType | undefined =>
  typesByName.get(name) ?? burstableTypes.find((type) => type.name === name) ?? findCurrentType(name);
