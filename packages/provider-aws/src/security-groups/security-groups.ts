import { DescribeSecurityGroupsCommand, type Filter } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '@nodewright/apis';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import { queriesOf } from '../selection/filters.ts';
import { allPages } from '../selection/pages.ts';

export type FoundSecurityGroup = { readonly id: string; readonly name: string };

export class SecurityGroups {
  readonly #context: AwsContext;
  readonly #found: ExpiringCache<readonly FoundSecurityGroup[]>;

  constructor(context: AwsContext) {
    this.#context = context;
    this.#found = new ExpiringCache(context.clock, 60_000);
  }

  /** Those of the selector, by id. */
  find({ metadata, spec }: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundSecurityGroup[]> {
    return this.#found.remember(`${metadata.uid}-${metadata.generation}`, async () => {
      const queries = queriesOf(spec.securityGroupSelectorTerms, { id: 'group-id', name: 'group-name' });
      const lists = await Promise.all(queries.map((filters) => this.#describe(filters, signal)));
      const found = [...new Map(lists.flat().map((group) => [group.id, group])).values()];
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    });
  }

  async #describe(filters: Filter[], signal: AbortSignal): Promise<readonly FoundSecurityGroup[]> {
    const { call, clients } = this.#context;
    const pages = await allPages((NextToken) =>
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
