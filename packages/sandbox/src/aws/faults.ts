import type { CategoryName, FindingStatus, GroupIssueCode } from './eks/fault-names.ts';

/** Something that goes wrong with AWS until it is cleared. Fields that are left out match everything. */
export type Fault =
  | {
      readonly kind: 'throttle';
      readonly service?: string;
      readonly operation?: string;
      /** How many calls are refused before the fault ends by itself. */
      readonly times?: number;
    }
  | {
      /** Holds answers back. On real and scaled time only: virtual time does not move while a call is served. */
      readonly kind: 'latency';
      readonly service?: string;
      readonly operation?: string;
      readonly delayMs: number;
    }
  | {
      readonly kind: 'insufficientCapacity';
      readonly instanceType?: string;
      readonly zone?: string;
      readonly capacityType?: 'spot' | 'on-demand';
    }
  | {
      /** The account may run so many vCPUs, and launches beyond are refused. */
      readonly kind: 'vcpuQuota';
      readonly vcpus: number;
    }
  | {
      /** Subnets have no address left for another instance. */
      readonly kind: 'noAddresses';
      readonly subnet?: string;
    }
  | {
      /** Calls are refused because the caller lacks a permission. */
      readonly kind: 'deny';
      readonly service?: string;
      readonly operation?: string;
    }
  | {
      /** EKS cannot reach the API server of the cluster. */
      readonly kind: 'clusterUnreachable';
    }
  | {
      /** A managed node group shows a health issue. */
      readonly kind: 'nodeGroupIssue';
      readonly code: GroupIssueCode;
      readonly nodegroup?: string;
      readonly message?: string;
    }
  | {
      /** A finding about the cluster's next update comes out so [ERROR]. */
      readonly kind: 'insight';
      readonly category?: CategoryName;
      readonly status?: FindingStatus;
    };

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;

export type StandingFault = { readonly id: string; readonly fault: Fault };

type Called = { readonly service: string; readonly operation: string };
type Wanted = { readonly instanceType: string; readonly zone: string; readonly capacityType: 'spot' | 'on-demand' };

/** The faults in force, oldest first. */
export class Faults {
  #standing: StandingFault[] = [];
  #count = 0;

  add(fault: Fault): StandingFault {
    this.#count += 1;
    const standing = { id: `fault-${this.#count}`, fault };
    this.#standing.push(standing);
    return standing;
  }

  list(): readonly StandingFault[] {
    return [...this.#standing];
  }

  /** Ends one fault, or all of them. */
  clear(id?: string): void {
    this.#standing = id === undefined ? [] : this.#standing.filter((standing) => standing.id !== id);
  }

  /** Whether this call is to be refused for its rate. Spends one of the fault's `times`. */
  throttles(call: Called): boolean {
    const hit = this.#standing.find(({ fault }) => fault.kind === 'throttle' && concerns(fault, call));
    if (hit !== undefined) this.#spend(hit);
    return hit !== undefined;
  }

  denies(call: Called): boolean {
    return this.find('deny').some((fault) => concerns(fault, call));
  }

  /** Those of one kind, oldest first. */
  find<Kind extends Fault['kind']>(kind: Kind): readonly FaultOf<Kind>[] {
    return this.#standing.flatMap(({ fault }) => (fault.kind === kind ? [fault as FaultOf<Kind>] : []));
  }

  /** How long the answer to this call is held back, in milliseconds. */
  delayMs(call: Called): number {
    return this.#standing.reduce(
      (sum, { fault }) => sum + (fault.kind === 'latency' && concerns(fault, call) ? fault.delayMs : 0),
      0,
    );
  }

  lacksCapacity(wanted: Wanted): boolean {
    return this.#standing.some(
      ({ fault }) =>
        fault.kind === 'insufficientCapacity' &&
        (fault.instanceType ?? wanted.instanceType) === wanted.instanceType &&
        (fault.zone ?? wanted.zone) === wanted.zone &&
        (fault.capacityType ?? wanted.capacityType) === wanted.capacityType,
    );
  }

  #spend({ id, fault }: StandingFault): void {
    if (fault.kind !== 'throttle' || fault.times === undefined) return;
    if (fault.times <= 1) return this.clear(id);
    const spent = { id, fault: { ...fault, times: fault.times - 1 } };
    this.#standing = this.#standing.map((standing) => (standing.id === id ? spent : standing));
  }
}

const concerns = (fault: { readonly service?: string; readonly operation?: string }, call: Called): boolean =>
  (fault.service ?? call.service) === call.service && (fault.operation ?? call.operation) === call.operation;
