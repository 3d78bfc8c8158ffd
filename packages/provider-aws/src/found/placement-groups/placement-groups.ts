import { DescribePlacementGroupsCommand, type PlacementGroup } from '@aws-sdk/client-ec2';
import { days, type EC2NodeClass, minutes } from '@nodewright/apis';
import type { FoundPlacementGroup } from '@nodewright/ports';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import { isAwsNotFound } from '../../calls/error-codes.ts';
import type { AwsContext } from '../../context.ts';

/** What was found; an answer is remembered, also that there is none. */
type GroupAnswer = { readonly group?: FoundPlacementGroup };

type Selector = NonNullable<EC2NodeClass['spec']['placementGroupSelector']>;

/** Finds the placement group of a NodeClass. */
export class PlacementGroupLookup {
  readonly #context: AwsContext;
  readonly #fresh: ExpiringCache<GroupAnswer>;
  /** For as long as EC2 does not answer. */
  readonly #last: ExpiringCache<GroupAnswer>;

  constructor(context: AwsContext) {
    this.#context = context;
    this.#fresh = new ExpiringCache(context.clock, minutes(1), context.freshness.market);
    this.#last = new ExpiringCache(context.clock, days(1));
  }

  /** The group in state `available`; `undefined` without a selector, or when there is no such group. At most a minute old. */
  async find({ spec }: EC2NodeClass, signal: AbortSignal): Promise<FoundPlacementGroup | undefined> {
    const selector = spec.placementGroupSelector;
    if (selector === undefined) return undefined;
    const key = selectorKeyOf(selector);
    const answer = await this.#fresh.remember(key, () => this.#ask(selector, signal));
    this.#last.set(key, answer);
    return answer.group;
  }

  /** As `find`; while EC2 does not answer, what it said last within a day. */
  async lastFound(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<FoundPlacementGroup | undefined> {
    try {
      return await this.find(nodeClass, signal);
    } catch (error) {
      const last = this.#last.get(selectorKeyOf(nodeClass.spec.placementGroupSelector ?? {}));
      if (last === undefined) throw error;
      return last.group;
    }
  }

  async #ask({ id, name }: Selector, signal: AbortSignal): Promise<GroupAnswer> {
    const { clients, call } = this.#context;
    const request = {
      ...(id === undefined ? {} : { GroupIds: [id] }),
      ...(name === undefined ? {} : { GroupNames: [name] }),
      Filters: [{ Name: 'state', Values: ['available'] }],
    };
    try {
      const found = await call(
        (options) => clients.ec2.send(new DescribePlacementGroupsCommand(request), options),
        signal,
      );
      const [group] = found.PlacementGroups ?? [];
      return group === undefined ? {} : answerFrom(group);
    } catch (error) {
      if (isAwsNotFound(error)) return {};
      throw error;
    }
  }
}

const selectorKeyOf = ({ id, name }: Selector): string => JSON.stringify([id, name]);

function answerFrom({ GroupId: id, Strategy, PartitionCount }: PlacementGroup): GroupAnswer {
  if (id === undefined || (Strategy !== 'cluster' && Strategy !== 'partition' && Strategy !== 'spread')) return {};
  return {
    group: { id, strategy: Strategy, ...(Strategy === 'partition' && { partitionCount: PartitionCount ?? 1 }) },
  };
}
