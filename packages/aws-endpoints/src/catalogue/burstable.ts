import type { CatalogueType } from './instance-type.ts';

const t3 = {
  arch: 'amd64',
  manufacturer: 'Intel',
  hypervisor: 'nitro',
  sustainedClockGhz: 3.1,
  vcpus: 2,
  interfaces: 3,
  branchInterfaces: 0,
  encryptionInTransit: false,
  spotPercent: 30,
} as const;

/** The default type of managed node groups and its neighbour. Launches may name them, but lists of types leave them out. */
export const burstableTypes: readonly CatalogueType[] = [
  { ...t3, name: 't3.medium', memoryMib: 4096, addressesPerInterface: 6, priceMicroUsdPerHour: 41_600 },
  { ...t3, name: 't3.large', memoryMib: 8192, addressesPerInterface: 12, priceMicroUsdPerHour: 83_200 },
];
