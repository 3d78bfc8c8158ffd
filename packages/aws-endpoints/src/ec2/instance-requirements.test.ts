import { describe, expect, test } from 'vitest';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { meetsRequirements } from './instance-requirements.ts';

type Required = Parameters<typeof meetsRequirements>[1];

const usual = { VCpuCount: { Min: 0 }, MemoryMiB: { Min: 0 } };

/** 4 vCPUs, 16 GiB, Intel, of the current generation. */
const aType = (different: Partial<CatalogueType> = {}): CatalogueType =>
  ({
    name: 'm5.xlarge',
    arch: 'amd64',
    vcpus: 4,
    memoryMib: 16_384,
    interfaces: 4,
    networkMbps: 10_000,
    ebsMbps: 1_150,
    manufacturer: 'Intel',
    hypervisor: 'nitro',
    ...different,
  }) as CatalogueType;

const gpu = { count: 2, memoryMibEach: 16_384, name: 'T4', manufacturer: 'NVIDIA' };

describe('a type meets', () => {
  test.each<readonly [string, Partial<CatalogueType>, Partial<Required>, boolean]>([
    ['what asks for nothing', {}, {}, true],
    ['its own count of vCPUs', {}, { VCpuCount: { Min: 4, Max: 4 } }, true],
    ['no higher count', {}, { VCpuCount: { Min: 5 } }, false],
    ['no lower count', {}, { VCpuCount: { Min: 0, Max: 3 } }, false],
    ['its own memory', {}, { MemoryMiB: { Min: 16_384, Max: 16_384 } }, true],
    ['no more memory', {}, { MemoryMiB: { Min: 16_385 } }, false],
    ['its memory for each vCPU', {}, { MemoryGiBPerVCpu: { Min: 4, Max: 4 } }, true],
    ['no more memory for each vCPU', {}, { MemoryGiBPerVCpu: { Min: 4.5 } }, false],
    ['its interfaces', {}, { NetworkInterfaceCount: { Min: 4, Max: 4 } }, true],
    ['no more interfaces', {}, { NetworkInterfaceCount: { Min: 5 } }, false],
    ['its bandwidth in Gbps', {}, { NetworkBandwidthGbps: { Min: 10, Max: 10 } }, true],
    ['no more bandwidth', {}, { NetworkBandwidthGbps: { Min: 10.1 } }, false],
    ['its bandwidth to volumes', {}, { BaselineEbsBandwidthMbps: { Min: 1_150 } }, true],
    ['no more bandwidth to volumes', {}, { BaselineEbsBandwidthMbps: { Min: 1_151 } }, false],
    ['its maker', {}, { CpuManufacturers: ['amd', 'intel'] }, true],
    ['no other maker', {}, { CpuManufacturers: ['amd'] }, false],
    ['a maker of its own', { manufacturer: 'AWS' }, { CpuManufacturers: ['amazon-web-services'] }, true],
    ['nothing as bare metal, which is left out', { isBareMetal: true }, {}, false],
    ['what takes bare metal', { isBareMetal: true }, { BareMetal: 'included' }, true],
    ['what takes bare metal without being it', {}, { BareMetal: 'included' }, true],
    ['not what needs bare metal', {}, { BareMetal: 'required' }, false],
    ['nothing as burstable, which is left out', { name: 't3.large' }, {}, false],
    ['what takes burstable types', { name: 't3.large' }, { BurstablePerformance: 'included' }, true],
    ['what needs burstable types', { name: 't3.large' }, { BurstablePerformance: 'required' }, true],
    ['a need of local disks', { localNvmeGb: 100 }, { LocalStorage: 'required' }, true],
    ['no need of local disks without one', {}, { LocalStorage: 'required' }, false],
    ['not what leaves local disks out', { localNvmeGb: 100 }, { LocalStorage: 'excluded' }, false],
    ['the size of local disks', { localNvmeGb: 100 }, { TotalLocalStorageGB: { Min: 100 } }, true],
    ['no larger size of local disks', { localNvmeGb: 100 }, { TotalLocalStorageGB: { Min: 101 } }, false],
    ['a need of SSDs', { localNvmeGb: 100 }, { LocalStorageTypes: ['ssd'] }, true],
    ['no need of HDDs', { localNvmeGb: 100 }, { LocalStorageTypes: ['hdd'] }, false],
    ['a need of HDDs without a disk', {}, { LocalStorageTypes: ['hdd'] }, true],
    ['its name', {}, { AllowedInstanceTypes: ['m5.xlarge'] }, true],
    ['its family', {}, { AllowedInstanceTypes: ['c5.*', 'm5.*'] }, true],
    ['no other name', {}, { AllowedInstanceTypes: ['m5.large'] }, false],
    ['not what excludes its family', {}, { ExcludedInstanceTypes: ['m5.*'] }, false],
    ['what excludes others', {}, { ExcludedInstanceTypes: ['c5.*'] }, true],
    ['no need of accelerators without one', {}, { AcceleratorCount: { Min: 1 } }, false],
    ['what has none at most', {}, { AcceleratorCount: { Max: 0 } }, true],
    ['not none at most with two', { gpu }, { AcceleratorCount: { Max: 0 } }, false],
    ['its accelerators', { gpu }, { AcceleratorCount: { Min: 2, Max: 2 } }, true],
    ['their memory together', { gpu }, { AcceleratorTotalMemoryMiB: { Min: 32_768, Max: 32_768 } }, true],
    ['the kind gpu', { gpu }, { AcceleratorTypes: ['gpu'] }, true],
    ['not the kind fpga', { gpu }, { AcceleratorTypes: ['fpga'] }, false],
    ['its maker of accelerators', { gpu }, { AcceleratorManufacturers: ['nvidia'] }, true],
    ['no other maker of accelerators', { gpu }, { AcceleratorManufacturers: ['amd'] }, false],
    ['the name of its accelerator', { gpu }, { AcceleratorNames: ['t4'] }, true],
    ['no other name', { gpu }, { AcceleratorNames: ['v100'] }, false],
    ['no kind of accelerators without one', {}, { AcceleratorTypes: ['gpu'] }, false],
  ] as readonly (readonly [string, Partial<CatalogueType>, Partial<Required>, boolean])[])(
    '%s',
    (_, traits, required, meets) => {
      expect(meetsRequirements(aType(traits), { ...usual, ...required })).toBe(meets);
    },
  );
});
