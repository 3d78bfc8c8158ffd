import { byTextOf } from '@nodewright/apis';
import type { CatalogueType } from '../instance-type.ts';

/**
 * The catalogue of all types as the text that `current-types.ts` reads.
 *
 * A block begins with a family: name, architecture, manufacturer, encryption in transit (1, 0), and the names of its GPUs and
 * accelerators. Each further line is a size: MHz, vCPUs, MiB, network Mbps, EBS Mbps, interfaces of a card, addresses of an
 * interface, branch interfaces, network cards, EFA interfaces, local NVMe in GB, micro-dollars per hour, hypervisor (n, x, or m
 * for bare metal), GPUs with the MiB of each, Neuron devices with the cores of each. "-" is none.
 */
export function writeTypesTable(types: readonly CatalogueType[]): string {
  const families = new Map<string, CatalogueType[]>();
  for (const type of types.toSorted(byTextOf(({ name }) => name))) {
    const members = families.get(familyOfType(type)) ?? [];
    families.set(familyOfType(type), [...members, type]);
  }
  return [...families]
    .flatMap(([family, members]) => [writeFamilyHead(family, members), ...members.map(writeSizeLine)])
    .join('\n');
}

const familyOfType = ({ name }: CatalogueType): string => name.split('.', 1).join('');

function writeFamilyHead(family: string, members: readonly CatalogueType[]): string {
  const [first] = members;
  const gpu = members.find((member) => member.gpu !== undefined)?.gpu;
  const neuron = members.find((member) => member.neuron !== undefined)?.neuron;
  return [
    `${family}:`,
    first?.arch,
    first?.manufacturer,
    first?.encryptionInTransit === true ? 1 : 0,
    gpu === undefined ? '-' : `${gpu.manufacturer}/${gpu.name}`,
    neuron?.name.toLowerCase() ?? '-',
  ].join(' ');
}

function writeSizeLine(type: CatalogueType): string {
  const { fabric, gpu, neuron } = type;
  return [
    type.name.slice(type.name.indexOf('.') + 1),
    Math.round(type.sustainedClockGhz * 1000),
    type.vcpus,
    type.memoryMib,
    type.networkMbps ?? '-',
    type.ebsMbps ?? '-',
    type.interfaces,
    type.addressesPerInterface,
    type.branchInterfaces,
    fabric?.cards ?? 1,
    fabric?.adapters ?? 0,
    type.localNvmeGb ?? '-',
    Number.isFinite(type.priceMicroUsdPerHour) ? type.priceMicroUsdPerHour : '-',
    type.isBareMetal === true ? 'm' : type.hypervisor === 'xen' ? 'x' : 'n',
    gpu === undefined ? '-' : `${gpu.count}x${gpu.memoryMibEach}`,
    neuron === undefined ? '-' : `${neuron.count}x${neuron.coresEach}`,
  ].join(' ');
}
