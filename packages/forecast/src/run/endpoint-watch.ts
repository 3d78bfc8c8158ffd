import type { Instant, KubernetesObject } from '@nodewright/apis';
import type { RunService } from './run-record.ts';

type SeenSlice = KubernetesObject & {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] | null;
};

type ServiceStanding = {
  readonly slices: Map<string, number>;
  hadSome: boolean;
  noneSince: Instant | undefined;
  ms: number;
};

/** For how long services that had a ready endpoint had none. */
export class EndpointWatch {
  readonly #now: () => Instant;
  readonly #services = new Map<string, ServiceStanding>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  see({ metadata, endpoints }: SeenSlice, isGone: boolean): void {
    const service = metadata.labels?.['kubernetes.io/service-name'];
    if (service === undefined) return;
    const name = `${metadata.namespace}/${service}`;
    const standing = this.#services.get(name) ?? { slices: new Map(), hadSome: false, noneSince: undefined, ms: 0 };
    this.#services.set(name, standing);
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).length;
    standing.slices.set(metadata.name, isGone ? 0 : ready);
    const all = [...standing.slices.values()].reduce((sum, each) => sum + each, 0);
    if (all > 0) {
      standing.hadSome = true;
      this.#end(standing);
    } else if (standing.hadSome) standing.noneSince ??= this.#now();
  }

  results(): readonly RunService[] {
    return [...this.#services].map(([service, standing]) => {
      this.#end(standing);
      return { service, secondsWithoutEndpoint: Math.round(standing.ms / 1000) };
    });
  }

  #end(standing: ServiceStanding): void {
    if (standing.noneSince !== undefined) standing.ms += this.#now() - standing.noneSince;
    standing.noneSince = undefined;
  }
}
