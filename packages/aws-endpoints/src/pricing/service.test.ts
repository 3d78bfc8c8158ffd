import { GetProductsCommand, PricingClient } from '@aws-sdk/client-pricing';
import { expect, test } from 'vitest';
import { inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const is = (Field: string, Value: string) => ({ Type: 'TERM_MATCH' as const, Field, Value });
const linux = [is('regionCode', 'us-east-1'), is('operatingSystem', 'Linux'), is('preInstalledSw', 'NA')];
const used = [is('capacitystatus', 'Used'), is('marketoption', 'OnDemand')];

const products = async (...filters: ReturnType<typeof is>[]): Promise<readonly unknown[]> => {
  const pricing = new PricingClient(inProcess(aTestAccount().aws.handle));
  const request = { ServiceCode: 'AmazonEC2', Filters: [...linux, ...used, ...filters] };
  const { PriceList = [] } = await pricing.send(new GetProductsCommand(request));
  return [PriceList].flat().map((document): unknown => JSON.parse(String(document)));
};

test('a type is priced by the hour, in a document of its own', async () => {
  const shared = [is('tenancy', 'Shared'), is('productFamily', 'Compute Instance')];
  const [product, ...others] = await products(...shared, is('instanceType', 'm5.large'));
  expect(others).toEqual([]);
  expect(product).toMatchObject({ product: { attributes: { instanceType: 'm5.large', vcpu: '2' } } });
  expect(JSON.stringify(product)).toContain('"pricePerUnit":{"USD":"0.0960000000"}');
});

test('bare metal has prices too', async () => {
  const metal = [is('tenancy', 'Dedicated'), is('productFamily', 'Compute Instance (bare metal)')];
  expect(await products(...metal)).toHaveLength(1);
});
