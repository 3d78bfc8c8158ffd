import { DescribeSpotPriceHistoryCommand } from '@aws-sdk/client-ec2';
import { type Filter, GetProductsCommand } from '@aws-sdk/client-pricing';
import { hours, minutes, partitionOfRegion } from '@nodewright/apis';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import type { AwsContext } from '../../context.ts';
import { publishedFact } from './published-facts.ts';
import { readAllPages } from '../../calls/pages.ts';
import { listedPrice, microUsd } from './price-list.ts';

/** What things cost, in millionths of a dollar an hour. */
export type Prices = {
  onDemand(instanceType: string): number | undefined;
  spot(instanceType: string, zone: string): number | undefined;
};

type PriceTable = ReadonlyMap<string, number>;
const spotKey = (instanceType: string, zone: string): string => `${instanceType} ${zone}`;

const pricesFreshForMs = hours(12);
/** Until a list that could not be read is asked for again. */
const retryAfterMs = minutes(10);

/**
 * Prices of the region, asked twice a day. Where the lists cannot be read, the last known ones stay; before
 * the first, on demand is what was published, and spot is no cheaper.
 */
export class Pricing {
  readonly #context: AwsContext;
  readonly #prices: ExpiringCache<Prices>;
  #onDemand: PriceTable = new Map();
  #spot: PriceTable | undefined;

  readonly #isolatedVpc: boolean;
  #wholeListRead = true;

  /** @param options.isolatedVpc the price list cannot be reached: what was published counts */
  constructor(context: AwsContext, { isolatedVpc }: { readonly isolatedVpc: boolean }) {
    this.#context = context;
    this.#isolatedVpc = isolatedVpc;
    this.#prices = new ExpiringCache(context.clock, pricesFreshForMs, context.freshness.market);
  }

  current(signal: AbortSignal): Promise<Prices> {
    const notOlderThanMs = this.#wholeListRead ? pricesFreshForMs : retryAfterMs;
    return this.#prices.remember('prices', () => this.#read(signal), notOlderThanMs);
  }

  async #read(signal: AbortSignal): Promise<Prices> {
    const lists = [this.#listOnDemand(signal), this.#listSpot(signal)] as const;
    const [onDemand, spot] = await Promise.allSettled(lists);
    signal.throwIfAborted();
    if (onDemand.status === 'fulfilled') this.#onDemand = new Map([...this.#onDemand, ...onDemand.value]);
    else this.#missed('on-demand', onDemand.reason);
    if (spot.status === 'fulfilled') this.#spot = new Map([...(this.#spot ?? []), ...spot.value]);
    else this.#missed('spot', spot.reason);
    this.#wholeListRead = onDemand.status === 'fulfilled' && spot.status === 'fulfilled';
    return this.#snapshot();
  }

  #missed(which: string, error: unknown): void {
    this.#context.log.named('pricing').warn('could not read prices, those known before count', { which, error });
  }

  #snapshot(): Prices {
    const [listed, spot] = [this.#onDemand, this.#spot];
    const onDemand = (type: string): number | undefined => listed.get(type) ?? publishedFact(type).priceMicroUsdPerHour;
    return { onDemand, spot: (type, zone) => (spot === undefined ? onDemand(type) : spot.get(spotKey(type, zone))) };
  }

  async #listOnDemand(signal: AbortSignal): Promise<PriceTable> {
    if (this.#isolatedVpc || !partitionOfRegion(this.#context.region).hasPriceList) return new Map();
    const lists = await Promise.all([
      this.#products({ tenancy: 'Shared', productFamily: 'Compute Instance' }, signal),
      this.#products({ tenancy: 'Dedicated', productFamily: 'Compute Instance (bare metal)' }, signal),
    ]);
    const currency = this.#context.region.startsWith('cn-') ? 'CNY' : 'USD';
    const prices = lists.flat().flatMap((record) => listedPrice(record, currency) ?? []);
    return new Map(prices.map(({ instanceType, microUsdPerHour }) => [instanceType, microUsdPerHour]));
  }

  async #products(which: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly string[]> {
    const { call, clients, region } = this.#context;
    const wanted = {
      regionCode: region,
      serviceCode: 'AmazonEC2',
      preInstalledSw: 'NA',
      operatingSystem: 'Linux',
      capacitystatus: 'Used',
      marketoption: 'OnDemand',
      ...which,
    };
    const Filters: Filter[] = Object.entries(wanted).map(([Field, Value]) => ({ Field, Type: 'TERM_MATCH', Value }));
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.pricing.send(new GetProductsCommand({ ServiceCode: 'AmazonEC2', Filters, NextToken }), options),
        signal,
      ),
    );
    return pages.flatMap(({ PriceList = [] }) => PriceList.map(String));
  }

  async #listSpot(signal: AbortSignal): Promise<PriceTable> {
    const { call, clients, clock } = this.#context;
    const request = {
      ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
      StartTime: new Date(clock.now()),
      MaxResults: 1000,
    };
    const pages = await readAllPages((NextToken) =>
      call(
        (options) => clients.ec2.send(new DescribeSpotPriceHistoryCommand({ ...request, NextToken }), options),
        signal,
      ),
    );
    const records = pages.flatMap(({ SpotPriceHistory = [] }) => SpotPriceHistory);
    return new Map(
      records.flatMap(({ InstanceType = '', AvailabilityZone = '', SpotPrice, Timestamp }): [string, number][] =>
        Timestamp === undefined || microUsd(SpotPrice) === 0
          ? []
          : [[spotKey(InstanceType, AvailabilityZone), microUsd(SpotPrice)]],
      ),
    );
  }
}
