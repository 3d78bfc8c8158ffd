import {
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  type InstanceTypeInfo,
} from '@aws-sdk/client-ec2';
import { byTextOf, hours } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import type { AwsContext } from '../../context.ts';
import { readAllPages } from '../../calls/pages.ts';

/** A type that EC2 sells in the region, and where. */
export type SoldType = { readonly info: InstanceTypeInfo; readonly name: string; readonly zones: readonly string[] };

const filters = [
  { Name: 'supported-virtualization-type', Values: ['hvm'] },
  { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
];

/** What EC2 sells in the region, asked twice a day. */
export class Catalogue {
  readonly #context: AwsContext;
  readonly #types: ExpiringCache<readonly SoldType[]>;
  #lastGood: readonly SoldType[] = [];

  constructor(context: AwsContext) {
    this.#context = context;
    this.#types = new ExpiringCache(context.clock, hours(12), context.freshness.market);
  }

  /** By name. An empty answer does not replace what was known. */
  types(signal: AbortSignal): Promise<readonly SoldType[]> {
    return this.#types.remember('types', async () => {
      const [infos, zones] = await Promise.all([this.#infos(signal), this.#zones(signal)]);
      const types = infos.flatMap((info) => sold(info, zones)).toSorted(byTextOf(({ name }) => name));
      if (types.length > 0) this.#lastGood = types;
      if (this.#lastGood.length === 0)
        throw new CloudError('EC2 lists no instance types', { code: 'NoInstanceTypes', retry: 'backOff' });
      return this.#lastGood;
    });
  }

  async #infos(signal: AbortSignal): Promise<readonly InstanceTypeInfo[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(new DescribeInstanceTypesCommand({ Filters: filters, MaxResults: 100, NextToken }), options),
        signal,
      ),
    );
    return pages.flatMap(({ InstanceTypes = [] }) => InstanceTypes);
  }

  async #zones(signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(
            new DescribeInstanceTypeOfferingsCommand({
              LocationType: 'availability-zone',
              MaxResults: 1000,
              NextToken,
            }),
            options,
          ),
        signal,
      ),
    );
    const offerings = pages.flatMap(({ InstanceTypeOfferings = [] }) => InstanceTypeOfferings);
    const zones = new Map<string, string[]>();
    for (const { InstanceType = '', Location = '' } of offerings) {
      zones.set(InstanceType, [...(zones.get(InstanceType) ?? []), Location].toSorted());
    }
    return zones;
  }
}

function sold(info: InstanceTypeInfo, zones: ReadonlyMap<string, readonly string[]>): SoldType[] {
  const name = info.InstanceType;
  return name === undefined ? [] : [{ info, name, zones: zones.get(name) ?? [] }];
}
