import { CreateTagsCommand, DescribeInstancesCommand, type Filter } from '@aws-sdk/client-ec2';
import { awsTags, byText, byTextOf, shareObject } from '@nodewright/apis';
import type { Instance, InstancePresence } from '@nodewright/ports';
import { isEndpointError, isAwsNotFound } from '../calls/error-codes.ts';
import { batchAnswer, type BatchAnswer, Batcher } from '../caching/batcher.ts';
import type { ReservationLookup } from '../found/capacity-reservations/capacity-reservations.ts';
import type { AwsContext } from '../context.ts';
import { readAllPages } from '../calls/pages.ts';
import { toAwsTagList, type Tags } from '../tags.ts';
import { toInstance } from './instance.ts';
import { countedBatches, Terminations } from './terminations.ts';

/** EC2 takes so many values in one filter. */
const mostIdsInOneFilter = 200;

const notTerminated = {
  Name: 'instance-state-name',
  Values: ['pending', 'running', 'stopping', 'stopped', 'shutting-down'],
};

/** Reads and ends instances, many in one call. */
export class DescribedInstances {
  readonly #context: AwsContext;
  readonly #reservations: Pick<ReservationLookup, 'sawInstance' | 'isOn'>;
  readonly #describes: Batcher<string, Instance | undefined>;
  readonly #terminations: Terminations;
  #seen = new Map<string, Instance>();

  constructor(context: AwsContext, reservations: Pick<ReservationLookup, 'sawInstance' | 'isOn'>) {
    this.#context = context;
    this.#reservations = reservations;
    this.#describes = new Batcher(context.clock, countedBatches(context, 'describe_instances'), (ids) =>
      this.#describeAll(ids),
    );
    this.#terminations = new Terminations(context);
  }

  /** `undefined` when it is terminated or EC2 does not know it. */
  async get(id: string): Promise<Instance | undefined> {
    const instance = await this.describe(id);
    return instance?.state === 'terminated' ? undefined : instance;
  }

  /** Also one that is terminated, for as long as EC2 tells of it. */
  describe(id: string): Promise<Instance | undefined> {
    return this.#describes.add(id);
  }

  async checkPresence(id: string): Promise<InstancePresence> {
    const instance = await this.describe(id);
    if (instance === undefined) return 'unknown';
    return instance.state === 'terminated' ? 'ended' : 'present';
  }

  /** The instance as it was last read, of any age; EC2 is asked if it was never read. A whole listing forgets what it did not find. */
  async lastSeen(id: string): Promise<Instance | undefined> {
    return this.#seen.get(id) ?? this.get(id);
  }

  /** Of the instances that were seen last, in order. */
  knownIds(): readonly string[] {
    return [...this.#seen.keys()].toSorted(byText);
  }

  /** Starts to end it; nothing happens to one that is gone. It fails alone: others of its batch end. */
  terminate(id: string): Promise<void> {
    this.#seen.delete(id);
    return this.#terminations.add(id);
  }

  /** All of this cluster's that are not terminated, by id. */
  async list(signal: AbortSignal): Promise<readonly Instance[]> {
    const filters = [
      { Name: 'tag-key', Values: [awsTags.nodePool] },
      { Name: 'tag-key', Values: [awsTags.ec2NodeClass] },
      { Name: `tag:${awsTags.clusterName}`, Values: [this.#context.clusterName] },
    ];
    const found = await this.#find(filters, signal);
    this.#seen = new Map(found.map((instance) => [instance.id, instance]));
    return found;
  }

  /** The instance that carries the claim's tag. An earlier process may have launched it. */
  async ofClaim(claimName: string, signal: AbortSignal): Promise<Instance | undefined> {
    const filters = [
      { Name: `tag:${awsTags.nodeClaim}`, Values: [claimName] },
      { Name: `tag:${awsTags.clusterName}`, Values: [this.#context.clusterName] },
    ];
    const found = await this.#find(filters, signal);
    return found.find(({ state }) => state === 'pending' || state === 'running');
  }

  async tag(id: string, tags: Tags, signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    await call(
      (options) => clients.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: toAwsTagList(tags) }), options),
      signal,
      { tokens: { CreateTags: 1 } },
    );
    const seen = this.#seen.get(id);
    if (seen !== undefined) this.#seen.set(id, shareObject({ ...seen, tags: { ...seen.tags, ...tags } }));
  }

  async #find(filters: Filter[], signal: AbortSignal): Promise<readonly Instance[]> {
    const found = await this.#describe({ Filters: [...filters, notTerminated], MaxResults: 1000 }, signal);
    return found.toSorted(byTextOf(({ id }) => id));
  }

  async #describeAll(ids: readonly string[]): Promise<readonly BatchAnswer<Instance | undefined>[]> {
    const distinct = [...new Set(ids)];
    const found = await this.#describeThese(distinct);
    const byId = new Map(found.map((instance) => [instance.id, instance]));
    for (const id of distinct) this.#note(id, byId.get(id));
    return ids.map((id) => batchAnswer(byId.get(id)));
  }

  #note(id: string, instance: Instance | undefined): void {
    if (instance === undefined || instance.state === 'terminated') this.#seen.delete(id);
    else this.#seen.set(id, instance);
  }

  /** One id that EC2 does not know spoils the call for all. A filter takes ids that are unknown. */
  async #describeThese(ids: readonly string[]): Promise<readonly Instance[]> {
    try {
      return await this.#describe({ InstanceIds: [...ids] });
    } catch (error) {
      if (ids.length === 1 && isAwsNotFound(error)) return [];
      if (ids.length === 1 || isEndpointError(error)) throw error;
      return this.#describeByFilter(ids);
    }
  }

  async #describeByFilter(ids: readonly string[]): Promise<readonly Instance[]> {
    const found: Instance[] = [];
    for (let from = 0; from < ids.length; from += mostIdsInOneFilter) {
      const wanted = { Name: 'instance-id', Values: ids.slice(from, from + mostIdsInOneFilter) };
      found.push(...(await this.#describe({ Filters: [wanted] })));
    }
    return found;
  }

  async #describe(
    request: ConstructorParameters<typeof DescribeInstancesCommand>[0],
    signal?: AbortSignal,
  ): Promise<readonly Instance[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call((options) => clients.ec2.send(new DescribeInstancesCommand({ ...request, NextToken }), options), signal, {
        tokens: { DescribeInstances: 1 },
      }),
    );
    const reservations = pages.flatMap(({ Reservations = [] }) => Reservations);
    const gates = { reservedCapacity: this.#reservations.isOn };
    const instances = reservations.flatMap(({ Instances = [] }) => Instances.map((each) => toInstance(each, gates)));
    for (const { id, capacityType, reservationId, state } of instances) {
      const hasPlace = capacityType === 'reserved' && state !== 'terminated';
      if (hasPlace && reservationId !== undefined) this.#reservations.sawInstance(id, reservationId);
    }
    return shareObject(instances);
  }
}
