import { GetProducts$, type Filter, type GetProductsRequest, type GetProductsResponse } from '@aws-sdk/client-pricing';
import { AwsError } from '../codec/aws-error.ts';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { makeLazily } from '../codec/lazily.ts';
import { takePage } from '../paging.ts';
import { defineOperation, type AwsService } from '../service.ts';
import { priceList, productDocument, type PriceProduct } from './price-list.ts';
import { pricingConstraints, pricingLimits } from './input-limits.ts';

type PriceListDeps = { readonly region: string; readonly types: () => readonly CatalogueType[] };

/** The price list, which has no region of its own: every region asks the same endpoint. */
export const pricingService = ({ region, types }: PriceListDeps): AwsService => {
  const entries = makeLazily(() => priceList(region, types()).map(entryOf));
  return {
    name: 'pricing',
    protocol: jsonProtocol({ version: '1.1' }),
    commonErrors: {
      throttling: { code: 'ThrottlingException', status: 400 },
      accessDenied: { code: 'AccessDeniedException', status: 400 },
    },
    limits: pricingLimits,
    constraints: pricingConstraints,
    operations: [defineOperation(GetProducts$, (request: GetProductsRequest) => getProducts(entries(), request))],
  };
};

/** A product as requests look for it and as answers send it. */
type Entry = {
  /** By the name in small letters: names are compared without regard to case, values as they are. */
  readonly fields: ReadonlyMap<string, string>;
  readonly document: () => string;
};

function entryOf(product: PriceProduct): Entry {
  const { attributes, productFamily } = product;
  const fields = Object.entries({ ...attributes, productFamily, serviceCode: 'AmazonEC2' });
  return {
    fields: new Map(fields.map(([name, value]) => [name.toLowerCase(), value])),
    document: makeLazily(() => productDocument(product)),
  };
}

function getProducts(entries: readonly Entry[], request: GetProductsRequest): GetProductsResponse {
  if (request.ServiceCode !== 'AmazonEC2') {
    throw new AwsError('InvalidParameterException', `The service ${request.ServiceCode} is not on the price list.`);
  }
  const found = entries.filter((entry) => (request.Filters ?? []).every((filter) => passesPriceFilter(filter, entry)));
  const { items, next } = takePage(found, {
    size: request.MaxResults ?? 100,
    token: request.NextToken,
    refuse: pricingBadToken,
  });
  const PriceList = items.map(({ document }) => document());
  return { FormatVersion: 'aws_v1', PriceList, ...(next && { NextToken: next }) };
}

const pricingBadToken = (token: string): AwsError =>
  new AwsError('InvalidNextTokenException', `The pagination token is invalid: ${token}`);

const passesPriceFilter = ({ Field: field = '', Value: value }: Filter, { fields }: Entry): boolean =>
  fields.get(field.toLowerCase()) === value;
