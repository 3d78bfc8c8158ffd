import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { byTextOf, minutes, type VcpuRoom } from '@nodewright/apis';
import type { BoughtKind } from '@nodewright/ports';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import type { Catalogue } from '../market/types/catalogue.ts';
import { limitOn, marketOfInstance } from './limits-on-instances.ts';
import { listRunningInstances } from './running-instances.ts';

const roomFreshMs = minutes(1);

/** vCPUs that run in the account, by the code of the limit that they count against. */
type UsedVcpus = ReadonlyMap<string, number>;

/** Tells how many vCPUs more the account may run. What runs outside of the cluster counts, too: all instances are listed. */
export class VcpuRooms {
  readonly #context: AwsContext;
  readonly #catalogue: Pick<Catalogue, 'types'>;
  readonly #limits: ExpiringCache<{ readonly value: number | undefined }>;
  readonly #used: ExpiringCache<UsedVcpus>;

  constructor(context: AwsContext, catalogue: Pick<Catalogue, 'types'>) {
    this.#context = context;
    this.#catalogue = catalogue;
    this.#limits = new ExpiringCache(context.clock, roomFreshMs);
    this.#used = new ExpiringCache(context.clock, roomFreshMs);
  }

  async roomFor(kinds: readonly BoughtKind[], signal: AbortSignal): Promise<readonly VcpuRoom[]> {
    const rooms: VcpuRoom[] = [];
    for (const { code, name, counted } of listLimits(kinds)) {
      const { value } = await this.#limits.remember(code, () => this.#readLimit(code, signal));
      if (value === undefined) continue;
      const used = await this.#used.remember('', () => this.#countUsed(signal));
      rooms.push({ code, name, limit: value, free: Math.max(0, value - (used.get(code) ?? 0)), counted: [...counted] });
    }
    return rooms;
  }

  async #readLimit(code: string, signal: AbortSignal): Promise<{ readonly value: number | undefined }> {
    const { call, clients } = this.#context;
    const asked = new GetServiceQuotaCommand({ ServiceCode: 'ec2', QuotaCode: code });
    const { Quota } = await call((options) => clients.serviceQuotas.send(asked, options), signal);
    return { value: Quota?.Value === undefined ? undefined : Math.floor(Quota.Value) };
  }

  async #countUsed(signal: AbortSignal): Promise<UsedVcpus> {
    const types = await this.#catalogue.types(signal);
    const sizes = new Map(types.map(({ name, info }) => [name, info.VCpuInfo?.DefaultVCpus ?? 0]));
    const used = new Map<string, number>();
    for (const instance of await listRunningInstances(this.#context, signal)) {
      const { InstanceType: type = '' } = instance;
      const market = marketOfInstance(instance);
      const code = market === undefined ? undefined : limitOn(type, market)?.code;
      if (code !== undefined) used.set(code, (used.get(code) ?? 0) + (sizes.get(type) ?? 0));
    }
    return used;
  }
}

type AskedLimit = { readonly code: string; readonly name: string; readonly counted: readonly BoughtKind[] };

/** Nodes in a capacity reservation count against no limit: the reservation does, whether it is used or not. */
function listLimits(kinds: readonly BoughtKind[]): readonly AskedLimit[] {
  const limits = new Map<string, AskedLimit>();
  for (const kind of kinds) {
    const market = kind.capacityType === 'spot' ? 'spot' : kind.capacityType === 'on-demand' ? 'onDemand' : undefined;
    const limit = market === undefined ? undefined : limitOn(kind.instanceType, market);
    if (limit === undefined) continue;
    limits.set(limit.code, { ...limit, counted: [...(limits.get(limit.code)?.counted ?? []), kind] });
  }
  return [...limits.values()].toSorted(byTextOf(({ code }) => code));
}
