import { DescribeSecurityGroupsCommand, type Filter } from '@aws-sdk/client-ec2';
import { byTextOf, type EC2NodeClass, minutes } from '@nodewright/apis';
import type { LookupPace } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import { queriesOf } from './filters.ts';
import { readAllPages } from '../calls/pages.ts';

export type FoundSecurityGroup = { readonly id: string; readonly name: string };

const steadyGroupsMs = minutes(5);
const restingGroupsMs = minutes(5.5);

/** Finds security groups: what was found counts for five minutes, as in Karpenter, and nothing found for one. */
export class SecurityGroups {
  readonly #context: AwsContext;
  readonly #found: ExpiringCache<readonly FoundSecurityGroup[]>;

  constructor(context: AwsContext) {
    this.#context = context;
    this.#found = new ExpiringCache(context.clock, restingGroupsMs, context.freshness);
  }

  /** The groups of the selector, sorted by id. */
  async find(
    nodeClass: EC2NodeClass,
    signal: AbortSignal,
    pace: LookupPace = 'close',
  ): Promise<readonly FoundSecurityGroup[]> {
    const found = await this.#look(nodeClass, signal, pace === 'close' ? steadyGroupsMs : restingGroupsMs);
    return found.length === 0 ? this.#look(nodeClass, signal, minutes(1)) : found;
  }

  #look({ spec }: EC2NodeClass, signal: AbortSignal, notOlderThanMs: number): Promise<readonly FoundSecurityGroup[]> {
    const load = async (): Promise<readonly FoundSecurityGroup[]> => {
      const queries = queriesOf(spec.securityGroupSelectorTerms, { id: 'group-id', name: 'group-name' });
      const lists = await Promise.all(queries.map((filters) => this.#describe(filters, signal)));
      const found = [...new Map(lists.flat().map((group) => [group.id, group])).values()];
      return found.toSorted(byTextOf(({ id }) => id));
    };
    return this.#found.remember(JSON.stringify(spec.securityGroupSelectorTerms), load, notOlderThanMs);
  }

  async #describe(filters: Filter[], signal: AbortSignal): Promise<readonly FoundSecurityGroup[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(
            new DescribeSecurityGroupsCommand({ Filters: filters, MaxResults: 500, NextToken }),
            options,
          ),
        signal,
      ),
    );
    return pages.flatMap(({ SecurityGroups: groups = [] }) =>
      groups.flatMap(({ GroupId, GroupName = '' }) =>
        GroupId === undefined ? [] : [{ id: GroupId, name: GroupName }],
      ),
    );
  }
}
