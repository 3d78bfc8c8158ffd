import { createHash } from 'node:crypto';
import type { CatalogueType } from '../catalogue/instance-type.ts';

export type PriceProduct = {
  readonly sku: string;
  readonly productFamily: 'Compute Instance' | 'Compute Instance (bare metal)';
  readonly attributes: Readonly<Record<string, string>>;
  readonly priceMicroUsdPerHour: number;
};

/** On the list, though the small catalogue does not sell it: clients take an empty answer about bare metal for a failure. */
const bareMetal = { name: 'm5.metal', vcpus: 96, memoryMib: 393_216, priceMicroUsdPerHour: 4_608_000 };

type ListedType = Pick<CatalogueType, 'name' | 'vcpus' | 'memoryMib' | 'priceMicroUsdPerHour'>;

/** What Linux on demand costs, by type. The prices of us-east-1 hold in every region. */
export function priceList(region: string, types: readonly CatalogueType[]): readonly PriceProduct[] {
  const priced = types.filter(({ priceMicroUsdPerHour }) => Number.isFinite(priceMicroUsdPerHour));
  const metal: readonly ListedType[] = priced.filter(({ isBareMetal }) => isBareMetal === true);
  return [
    ...priced
      .filter(({ isBareMetal }) => isBareMetal !== true)
      .map((type) => buildProduct(type, region, { productFamily: 'Compute Instance', tenancy: 'Shared' })),
    ...(metal.length === 0 ? [bareMetal] : metal).map((type) =>
      buildProduct(type, region, { productFamily: 'Compute Instance (bare metal)', tenancy: 'Dedicated' }),
    ),
  ];
}

const buildProduct = (
  type: ListedType,
  region: string,
  { productFamily, tenancy }: { productFamily: PriceProduct['productFamily']; tenancy: string },
): PriceProduct => ({
  sku: skuOf(region, type.name),
  productFamily,
  attributes: { ...writePriceAttributes(type, region), tenancy },
  priceMicroUsdPerHour: type.priceMicroUsdPerHour,
});

const skuOf = (region: string, name: string): string =>
  createHash('sha256').update(`${region} ${name}`).digest('hex').slice(0, 16).toUpperCase();

const writePriceAttributes = (
  { name, vcpus, memoryMib }: { name: string; vcpus: number; memoryMib: number },
  region: string,
) => ({
  instanceType: name,
  instanceFamily: 'General purpose',
  vcpu: String(vcpus),
  memory: `${memoryMib / 1024} GiB`,
  regionCode: region,
  locationType: 'AWS Region',
  operatingSystem: 'Linux',
  preInstalledSw: 'NA',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
  licenseModel: 'No License required',
  servicecode: 'AmazonEC2',
  operation: 'RunInstances',
});

/** The codes every on-demand offer and hourly rate of the price list ends with. */
const onDemandTerm = 'JRTCKXETXF';
const hourlyRate = '6YS6EN2CT7';

/** A product as the price list sends it: JSON inside of JSON. */
export function productDocument({ sku, productFamily, attributes, priceMicroUsdPerHour }: PriceProduct): string {
  const offer = `${sku}.${onDemandTerm}`;
  const rateCode = `${offer}.${hourlyRate}`;
  const rate = {
    unit: 'Hrs',
    beginRange: '0',
    endRange: 'Inf',
    appliesTo: [],
    rateCode,
    description: `On Demand Linux ${attributes['instanceType']} Instance Hour`,
    pricePerUnit: { USD: (priceMicroUsdPerHour / 1e6).toFixed(10) },
  };
  const term = { sku, offerTermCode: onDemandTerm, termAttributes: {}, priceDimensions: { [rateCode]: rate } };
  return JSON.stringify({
    product: { sku, productFamily, attributes },
    serviceCode: 'AmazonEC2',
    terms: { OnDemand: { [offer]: term } },
  });
}
