import type { InstanceQuota, Market, ScalingGroup } from '@nodewright/ports';
import type { GroupObstacle } from './obstacle.ts';

/** The limit that instances of the group count against which are bought that way. */
export type SeenQuota = InstanceQuota & { readonly market: Market };

/** What the surge takes of a limit of the account, in vCPUs. */
export type QuotaNeed = {
  readonly vcpus: number;
  /** Name and code in Service Quotas. */
  readonly name: string;
  readonly code: string;
  /** What the account may run, and what of it is free; absent where that is not known. */
  readonly limit?: number;
  readonly free?: number;
  readonly unknownBecause?: string;
};

export const instanceTypesOfGroup = ({ template, instanceTypes }: ScalingGroup): readonly string[] =>
  instanceTypes.length > 0 ? instanceTypes : template?.instanceType === undefined ? [] : [template.instanceType];

/** By the largest of the group's types; none where nothing is added. Shares of a mixed group round up. */
export const quotaNeeds = (
  { bought }: ScalingGroup,
  quotas: readonly SeenQuota[],
  surge: number,
): readonly QuotaNeed[] =>
  quotas
    .map(({ market, name, code, vcpusPerInstance, room }) => ({
      vcpus: vcpusPerInstance * Math.ceil((surge * (bought[market] ?? 0)) / 100),
      name,
      code,
      ...(room.kind === 'known'
        ? { limit: room.limit, free: Math.max(0, room.limit - room.used) }
        : { unknownBecause: room.why }),
    }))
    .filter(({ vcpus }) => vcpus > 0);

/** What AWS would refuse to launch, as far as its limits are known. */
export const quotaObstacles = (needs: readonly QuotaNeed[]): readonly GroupObstacle[] =>
  needs.flatMap(({ vcpus, name, code, limit, free }) => {
    if (limit === undefined || free === undefined || free >= vcpus) return [];
    const message = `${vcpus} vCPUs more do not fit into "${name}" (${code}): ${free} of ${limit} are free`;
    return [{ reason: 'InsufficientQuota', message }];
  });
