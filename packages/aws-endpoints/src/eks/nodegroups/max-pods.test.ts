import { expect, test } from 'vitest';
import type { CatalogueType } from '../../catalogue/instance-type.ts';
import { maxPodsAcross } from './max-pods.ts';

/** A type whose interfaces would carry as many pods as are asked for. */
const aType = (vcpus: number, pods: number): CatalogueType => ({
  name: 'x1.large',
  arch: 'amd64',
  manufacturer: 'Intel',
  hypervisor: 'nitro',
  sustainedClockGhz: 3,
  vcpus,
  memoryMib: 4096,
  interfaces: 1,
  addressesPerInterface: pods - 1,
  branchInterfaces: 0,
  encryptionInTransit: false,
  priceMicroUsdPerHour: 1,
  spotPercent: 30,
});

for (const { fact, types, pods } of [
  { fact: 'a small machine is capped at 110', types: [aType(29, 234)], pods: 110 },
  { fact: 'a machine of 30 vCPUs or more is capped at 250', types: [aType(30, 737)], pods: 250 },
  { fact: 'a large machine with few interfaces takes what these carry', types: [aType(96, 198)], pods: 198 },
  { fact: 'the smallest of several decides', types: [aType(96, 737), aType(2, 29)], pods: 29 },
  { fact: 'a group whose types nobody knows takes 110', types: [], pods: 110 },
]) {
  test(`OBJ-10: ${fact}`, () => {
    expect(maxPodsAcross(types)).toBe(pods);
  });
}
