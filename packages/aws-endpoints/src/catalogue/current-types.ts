import { byTextOf } from '@nodewright/apis';
import { makeLazily, perKey } from '../codec/lazily.ts';
import { currentTypesTable } from './current-types.generated.ts';
import type { CatalogueType, Devices } from './instance-type.ts';

/** The lines of a family in the table: what all its sizes have, and a line for each size. */
type FamilyBlock = { readonly head: string; readonly sizes: readonly string[] };

let importedTable: string | undefined;

/** Takes a table of `nodewright catalogue import` in the place of the built-in one, before the first type is read. */
export function importCurrentTypes(table: string): void {
  importedTable = table;
}

/** The table by families. Its lines are read when a type of the family is asked for. */
const familyBlocks = makeLazily((): ReadonlyMap<string, FamilyBlock> => {
  const blocks = (importedTable ?? currentTypesTable).trim().split(/\n(?=\S+: )/);
  return new Map(
    blocks.map((block) => {
      const [head = '', ...sizes] = block.split('\n');
      return [head.slice(0, head.indexOf(':')), { head, sizes }];
    }),
  );
});

const readFamily = perKey((family: string): ReadonlyMap<string, CatalogueType> => {
  const block = familyBlocks().get(family);
  if (block === undefined) return new Map();
  return new Map(block.sizes.map((line) => readSize(block.head, line)).map((type) => [type.name, type]));
});

/** Finds a type that EC2 sells today. */
export const findCurrentType = (name: string): CatalogueType | undefined =>
  readFamily(name.split('.', 1).join('')).get(name);

/** Lists all types that EC2 sells today, sorted by name. */
export const listCurrentTypes = makeLazily((): readonly CatalogueType[] =>
  [...familyBlocks().keys()]
    .flatMap((family) => [...readFamily(family).values()])
    .toSorted(byTextOf(({ name }) => name)),
);

function readSize(head: string, line: string): CatalogueType {
  const [family = '', arch, manufacturer, encrypts, gpu = '-', accelerator = '-'] = head.split(' ');
  const [size, mhz, vcpus, mib, networkMbps = '-', ebsMbps = '-', interfaces, addresses, ...rest] = line.split(' ');
  const [branches, cards, adapters, nvme = '-', price = '-', hypervisor, gpus = '-', neurons = '-'] = rest;
  const familyName = family.slice(0, -1);
  return {
    name: `${familyName}.${size}`,
    arch: arch as CatalogueType['arch'],
    manufacturer: manufacturer as CatalogueType['manufacturer'],
    hypervisor: hypervisor === 'x' ? 'xen' : 'nitro',
    ...(hypervisor === 'm' && { isBareMetal: true }),
    sustainedClockGhz: Number(mhz) / 1000,
    vcpus: Number(vcpus),
    memoryMib: Number(mib),
    interfaces: Number(interfaces),
    addressesPerInterface: Number(addresses),
    branchInterfaces: Number(branches),
    ...((Number(cards) > 1 || Number(adapters) > 0) && {
      fabric: { cards: Number(cards), adapters: Number(adapters) },
    }),
    ...(networkMbps !== '-' && { networkMbps: Number(networkMbps) }),
    ...(ebsMbps !== '-' && { ebsMbps: Number(ebsMbps) }),
    encryptionInTransit: encrypts === '1',
    ...(gpus !== '-' && { gpu: readGpu(gpu, gpus) }),
    ...(neurons !== '-' && { neuron: readNeuron(accelerator, neurons) }),
    ...(nvme !== '-' && { localNvmeGb: Number(nvme) }),
    priceMicroUsdPerHour: price === '-' ? Infinity : Number(price),
    spotPercent: spotPercentOf(familyName),
  };
}

function readGpu(named: string, counted: string): Devices & { readonly manufacturer: string } {
  const [manufacturer = '', name = ''] = named.split('/');
  const [count, memory] = counted.split('x');
  return { manufacturer, name, count: Number(count), memoryMibEach: Number(memory) };
}

/** GiB of each device. */
const neuronMemoryGib: ReadonlyMap<string, number> = new Map([
  ['inferentia', 8],
  ['inferentia2', 32],
  ['trainium', 32],
  ['trainium2', 96],
]);

function readNeuron(named: string, counted: string): NonNullable<CatalogueType['neuron']> {
  const [count, cores] = counted.split('x');
  const name = named.charAt(0).toUpperCase() + named.slice(1);
  const memoryMibEach = (neuronMemoryGib.get(named) ?? 0) * 1024;
  return { name, count: Number(count), coresEach: Number(cores), memoryMibEach };
}

/** Averages of spot prices are not published: each family gets one from 32 to 55 percent, from its name. */
function spotPercentOf(family: string): number {
  const sum = family.split('').reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 1009, 7);
  return 32 + (sum % 24);
}
