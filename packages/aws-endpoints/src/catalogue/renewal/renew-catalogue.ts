import { readOwn } from '@nodewright/apis';
import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { findCurrentType, listCurrentTypes } from '../current-types.ts';
import type { CatalogueType } from '../instance-type.ts';
import { importType, isMac } from './import-type.ts';
import { isPriceList, readPrices } from './read-prices.ts';
import { writeTypesTable } from './write-types-table.ts';

/** A JSON document, and the file that it comes from. */
export type NamedDocument = { readonly file: string; readonly document: unknown };

export type CatalogueSources = {
  /** Outputs of `aws ec2 describe-instance-types`. */
  readonly types: readonly NamedDocument[];
  /** Outputs of `aws ec2 describe-instance-type-offerings`; types that are nowhere on offer are left out. */
  readonly offerings: readonly NamedDocument[];
  /** Outputs of `aws pricing get-products`, or downloaded price lists. */
  readonly prices: readonly NamedDocument[];
  /** Whose prices count. */
  readonly region: string;
};

export type RenewedCatalogue = {
  /** The module `current-types.generated.ts`. */
  readonly module: string;
  readonly count: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Types of the catalogue that are not in the files. They stay. */
  readonly kept: readonly string[];
  /** Types of the files that are not taken, each with why. */
  readonly leftOut: readonly string[];
};

/** Files that are not what they should be. */
export class CatalogueSourceError extends Error {
  override readonly name = 'CatalogueSourceError';
}

/**
 * The catalogue of all types with the figures of the files. Branch interfaces, which no API tells, stay as they are; a new type
 * has none. A type without a price in the files keeps the one it has.
 * @throws CatalogueSourceError naming every file that is something else
 */
export function renewCatalogue(sources: CatalogueSources): RenewedCatalogue {
  const prices = readPricesOf(sources);
  const offered = readOfferedNames(sources);
  const leftOut: string[] = [];
  const imported = new Map<string, CatalogueType>();
  for (const info of readTypeInfos(sources)) {
    const name: string = info.InstanceType ?? 'a type without a name';
    const known = findCurrentType(name);
    const type = importType(info, {
      branchInterfaces: known?.branchInterfaces ?? 0,
      spotPercent: known?.spotPercent ?? 0,
      priceMicroUsdPerHour: prices.get(name) ?? known?.priceMicroUsdPerHour ?? Infinity,
    });
    if (isMac(info)) leftOut.push(`${name}: no node runs on it`);
    else if (typeof type === 'string') leftOut.push(`${name}: has no ${type}`);
    else if (offered !== undefined && !offered.has(name)) leftOut.push(`${name}: no zone offers it`);
    else imported.set(name, type);
  }
  return compareCatalogues(imported, leftOut);
}

function compareCatalogues(imported: ReadonlyMap<string, CatalogueType>, leftOut: readonly string[]): RenewedCatalogue {
  const kept = listCurrentTypes().filter(({ name }) => !imported.has(name));
  const types = [...imported.values(), ...kept];
  const lineOf = (type: CatalogueType): string => writeTypesTable([type]);
  const known = [...imported.values()].map((type) => ({ type, before: findCurrentType(type.name) }));
  return {
    module: writeModule(types),
    count: types.length,
    added: known.flatMap(({ type, before }) => (before === undefined ? type.name : [])),
    changed: known.flatMap(({ type, before }) =>
      before !== undefined && lineOf(before) !== lineOf(type) ? type.name : [],
    ),
    kept: kept.map(({ name }) => name),
    leftOut,
  };
}

const writeModule = (types: readonly CatalogueType[]): string =>
  '// Written by `nodewright catalogue import` from figures and prices that AWS publishes.\n' +
  `export const currentTypesTable = \`\n${writeTypesTable(types)}\n\`;\n`;

/** The members of a list in several files. @throws CatalogueSourceError for a file without the list */
function readLists(documents: readonly NamedDocument[], member: string, command: string): readonly unknown[] {
  const lists = documents.map(({ file, document }) => {
    const list =
      typeof document === 'object' && document !== null
        ? readOwn(document as Readonly<Record<string, unknown>>, member)
        : undefined;
    return { file, list: Array.isArray(list) ? (list as readonly unknown[]) : undefined };
  });
  const isObject = (each: unknown): boolean => typeof each === 'object' && each !== null;
  const wrong = lists.filter(({ list }) => list === undefined || !list.every(isObject));
  if (wrong.length > 0)
    throw new CatalogueSourceError(
      wrong.map(({ file }) => `${file}: has no list ${member}; write it with ${command} --output json`).join('\n'),
    );
  return lists.flatMap(({ list = [] }) => list);
}

const readTypeInfos = ({ types }: CatalogueSources): readonly InstanceTypeInfo[] =>
  readLists(types, 'InstanceTypes', 'aws ec2 describe-instance-types') as readonly InstanceTypeInfo[];

function readOfferedNames({ offerings }: CatalogueSources): ReadonlySet<string> | undefined {
  if (offerings.length === 0) return undefined;
  const all = readLists(offerings, 'InstanceTypeOfferings', 'aws ec2 describe-instance-type-offerings');
  return new Set(all.map((each) => (each as { readonly InstanceType?: string }).InstanceType ?? ''));
}

function readPricesOf({ prices, region }: CatalogueSources): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { file, document } of prices) {
    if (typeof document !== 'object' || document === null || !isPriceList(document))
      throw new CatalogueSourceError(
        `${file}: has neither PriceList nor products; write it with aws pricing get-products --service-code AmazonEC2`,
      );
    const own = readPricesOrRefuse(file, document, region);
    if (own.size === 0)
      throw new CatalogueSourceError(
        `${file}: has no price of Linux on demand in ${region}; --region says another one`,
      );
    for (const [type, price] of own) found.set(type, price);
  }
  return found;
}

function readPricesOrRefuse(file: string, document: object, region: string): ReadonlyMap<string, number> {
  try {
    return readPrices(document, region);
  } catch (error) {
    throw new CatalogueSourceError(`${file}: is no price list: ${(error as Error).message}`, { cause: error });
  }
}
