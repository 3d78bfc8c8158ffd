import { GetProducts$, type Filter, type GetProductsRequest, type GetProductsResponse } from '@aws-sdk/client-pricing';
import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import { pageOf } from '../paging.ts';
import { operation, type Service } from '../service.ts';
import { priceList, productDocument, type Product } from './price-list.ts';

/** The price list, which has no region of its own: every region asks the same endpoint. */
export const pricingService = ({ region }: { readonly region: string }): Service => ({
  name: 'pricing',
  protocol: jsonProtocol({ version: '1.1' }),
  operations: [operation(GetProducts$, (request: GetProductsRequest) => getProducts(priceList(region), request))],
});

function getProducts(products: readonly Product[], request: GetProductsRequest): GetProductsResponse {
  if (request.ServiceCode !== 'AmazonEC2') {
    throw new AwsError('InvalidParameterException', `The service ${request.ServiceCode} is not on the price list.`);
  }
  const found = products.filter((product) => (request.Filters ?? []).every((filter) => admits(filter, product)));
  const { items, next } = pageOf(found, {
    size: request.MaxResults ?? 100,
    token: request.NextToken,
    refuse: badToken,
  });
  return { FormatVersion: 'aws_v1', PriceList: items.map(productDocument), ...(next && { NextToken: next }) };
}

const badToken = (token: string): AwsError =>
  new AwsError('InvalidNextTokenException', `The pagination token is invalid: ${token}`);

/** Field names are compared without regard to case, values as they are. */
function admits({ Field: field = '', Value: value }: Filter, { attributes, productFamily }: Product): boolean {
  const wanted = field.toLowerCase();
  const fields = Object.entries({ ...attributes, productFamily, serviceCode: 'AmazonEC2' });
  return fields.some(([name, has]) => name.toLowerCase() === wanted && has === value);
}
