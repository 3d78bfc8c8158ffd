import { readOwn } from '@nodewright/apis';

type PriceDimension = { readonly unit?: string; readonly pricePerUnit?: { readonly USD?: string } };
type OnDemandTerms = Readonly<Record<string, { readonly priceDimensions?: Readonly<Record<string, PriceDimension>> }>>;
type ListedProduct = {
  readonly productFamily?: string;
  readonly sku?: string;
  readonly attributes?: Readonly<Record<string, string>>;
};

/** One product, as `aws pricing get-products` lists it: JSON inside of JSON. */
type ProductEntry = { readonly product?: ListedProduct; readonly terms?: { readonly OnDemand?: OnDemandTerms } };

/** The whole list of a service and a region, as the price list API offers it for download. */
type BulkList = {
  readonly products?: Readonly<Record<string, ListedProduct>>;
  readonly terms?: { readonly OnDemand?: Readonly<Record<string, OnDemandTerms>> };
};

/** What Linux on demand costs in a region, in millionths of a dollar per hour, by instance type. */
export function readPrices(document: object, region: string): ReadonlyMap<string, number> {
  const found = listProducts(document).flatMap(({ product, terms }) => {
    const type = product?.attributes?.['instanceType'];
    if (product === undefined || type === undefined || !isUsualLinux(product, region)) return [];
    const price = priceOfTerms(terms?.OnDemand);
    return price === undefined ? [] : [[type, price] as const];
  });
  return new Map(found);
}

/** Whether a document is one of the two forms of the price list. */
export const isPriceList = (document: object): boolean => 'PriceList' in document || 'products' in document;

function listProducts(document: object): readonly ProductEntry[] {
  if ('PriceList' in document)
    return (document.PriceList as readonly (string | ProductEntry)[]).map((each) =>
      typeof each === 'string' ? (JSON.parse(each) as ProductEntry) : each,
    );
  const { products = {}, terms } = document as BulkList;
  const onDemand = new Map(Object.entries(terms?.OnDemand ?? {}));
  return Object.entries(products).map(([sku, product]) => {
    const own = onDemand.get(sku);
    return { product, terms: { ...(own && { OnDemand: own }) } };
  });
}

/** Bare metal is listed as dedicated. */
function isUsualLinux({ productFamily, attributes = {} }: ListedProduct, region: string): boolean {
  const isMetal = productFamily === 'Compute Instance (bare metal)';
  const wanted = {
    regionCode: region,
    operatingSystem: 'Linux',
    preInstalledSw: 'NA',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
  };
  return (
    (isMetal || (productFamily === 'Compute Instance' && attributes['tenancy'] === 'Shared')) &&
    Object.entries(wanted).every(([name, value]) => (readOwn(attributes, name) ?? value) === value)
  );
}

function priceOfTerms(terms: OnDemandTerms = {}): number | undefined {
  const dimensions = Object.values(terms).flatMap(({ priceDimensions = {} }) => Object.values(priceDimensions));
  const usd = dimensions.map(({ pricePerUnit }) => Number(pricePerUnit?.USD)).find((price) => price > 0);
  return usd === undefined ? undefined : Math.round(usd * 1e6);
}
