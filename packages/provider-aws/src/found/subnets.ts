import { DescribeSubnetsCommand, type Filter, type Subnet } from '@aws-sdk/client-ec2';
import { type EC2NodeClass, minutes, byNumberOf, byTextOf, inOrder, inReverse } from '@nodewright/apis';
import type { FoundSubnet, LookupPace } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import { queriesOf } from './filters.ts';
import { readAllPages } from '../calls/pages.ts';

/** Subnets that match do not come and go by themselves; Karpenter, too, looks for what it has found only so often. */
const steadySubnetsMs = minutes(5);
const restingSubnetsMs = minutes(5.5);

/** Finds subnets and keeps count of the addresses that launches in flight take from them. */
export class Subnets {
  readonly #context: AwsContext;
  readonly #found: ExpiringCache<readonly FoundSubnet[]>;
  readonly #freshMs: number;
  readonly #freeAddresses: ExpiringCache<number>;

  constructor(context: AwsContext, freshMs: number = minutes(1)) {
    this.#context = context;
    this.#freshMs = freshMs;
    this.#found = new ExpiringCache(context.clock, Math.max(freshMs, restingSubnetsMs), context.freshness);
    this.#freeAddresses = new ExpiringCache(
      context.clock,
      Math.max(2 * restingSubnetsMs, freshMs + minutes(4)),
      context.freshness,
    );
  }

  /** The subnets of the selector: most free addresses first, ties by id. */
  async find(
    nodeClass: EC2NodeClass,
    signal: AbortSignal,
    pace: LookupPace = 'close',
  ): Promise<readonly FoundSubnet[]> {
    const found = await this.#look(nodeClass, signal, this.#steadyMs(pace));
    // An empty answer is cached for a short time only: a subnet that gets its tag has to be found soon.
    return found.length === 0 ? this.#look(nodeClass, signal, this.#freshMs) : found;
  }

  #steadyMs(pace: LookupPace): number {
    return Math.max(this.#freshMs, pace === 'close' ? steadySubnetsMs : restingSubnetsMs);
  }

  #look({ spec }: EC2NodeClass, signal: AbortSignal, notOlderThanMs: number): Promise<readonly FoundSubnet[]> {
    const load = async (): Promise<readonly FoundSubnet[]> => {
      const queries = queriesOf(spec.subnetSelectorTerms, { id: 'subnet-id' });
      const lists = await Promise.all(queries.map((filters) => this.#describe(filters, signal)));
      const found = [...new Map(lists.flat().map((subnet) => [subnet.id, subnet])).values()];
      for (const { id, freeAddresses } of found) this.#freeAddresses.set(id, freeAddresses);
      return found.toSorted(
        inOrder(
          inReverse(byNumberOf(({ freeAddresses }) => freeAddresses)),
          byTextOf(({ id }) => id),
        ),
      );
    };
    return this.#found.remember(JSON.stringify(spec.subnetSelectorTerms), load, notOlderThanMs);
  }

  /** One subnet for each zone: the one with most free addresses; ties keep the order of the status. */
  async perZone(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<ReadonlyMap<string, FoundSubnet>> {
    await this.#look(nodeClass, signal, this.#freshMs);
    const best = new Map<string, FoundSubnet>();
    for (const { id, zone, zoneID = '' } of nodeClass.status?.subnets ?? []) {
      const freeAddresses = this.#freeAddresses.get(id) ?? 0;
      if (freeAddresses > (best.get(zone)?.freeAddresses ?? -1))
        best.set(zone, { id, zone, zoneId: zoneID, freeAddresses });
    }
    return best;
  }

  /** Called when a launch takes a subnet, until the next look counts for real. */
  took(id: string, addresses: number): void {
    const free = this.#freeAddresses.get(id);
    if (free !== undefined) this.#freeAddresses.set(id, Math.max(0, free - addresses));
  }

  async #describe(filters: Filter[], signal: AbortSignal): Promise<readonly FoundSubnet[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(new DescribeSubnetsCommand({ Filters: filters, MaxResults: 500, NextToken }), options),
        signal,
      ),
    );
    return pages.flatMap(({ Subnets = [] }) => Subnets.flatMap(toFoundSubnet));
  }
}

function toFoundSubnet({
  SubnetId,
  AvailabilityZone,
  AvailabilityZoneId = '',
  AvailableIpAddressCount = 0,
}: Subnet): FoundSubnet[] {
  if (SubnetId === undefined || AvailabilityZone === undefined) return [];
  return [{ id: SubnetId, zone: AvailabilityZone, zoneId: AvailabilityZoneId, freeAddresses: AvailableIpAddressCount }];
}
