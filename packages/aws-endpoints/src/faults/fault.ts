import type { CategoryName, FindingStatus, GroupIssueCode } from './eks-fault-names.ts';
import type { NodeBehavior } from '../releases/release.ts';

/** Calls that a fault concerns; what is left out matches everything. */
export type CallFilter = { readonly service?: string; readonly operation?: string };

/** Instances, or what is bought as one, that a fault concerns; what is left out matches everything. */
export type PlaceFilter = {
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: 'spot' | 'on-demand';
};

/** Something that goes wrong until it is cleared, or until it is over by itself. */
export type Fault =
  | ({
      readonly kind: 'throttle';
      /** How many calls are refused before the fault ends by itself. */
      readonly times?: number;
    } & CallFilter)
  | ({
      /** Refuses calls with a code of AWS: `UnauthorizedOperation`. */
      readonly kind: 'refusal';
      readonly code: string;
      readonly message?: string;
      /** How many calls are refused before the fault ends by itself. */
      readonly times?: number;
    } & CallFilter)
  | ({
      /** Holds answers back. On real and scaled time only: virtual time does not move while a call is served. */
      readonly kind: 'latency';
      readonly delayMs: number;
    } & CallFilter)
  | ({ readonly kind: 'insufficient-capacity' } & PlaceFilter)
  | ({
      /** What a fleet answers about the pools concerned: `VcpuLimitExceeded`. */
      readonly kind: 'launch-failure';
      readonly code: string;
      readonly message?: string;
    } & PlaceFilter)
  | {
      /** The account may run so many vCPUs, and launches beyond are refused. */
      readonly kind: 'vcpu-quota';
      readonly vcpus: number;
      /** One quota, `L-1216C47A`; without it every quota of instances is so small. */
      readonly quotaCode?: string;
    }
  | {
      /** An alarm of CloudWatch is in state ALARM. */
      readonly kind: 'alarm';
      readonly name: string;
    }
  | {
      /** Subnets have no address left for another instance. */
      readonly kind: 'no-addresses';
      readonly subnet?: string;
    }
  | ({
      /** Calls are refused because the caller lacks a permission. */
      readonly kind: 'deny';
    } & CallFilter)
  | {
      /** EKS cannot reach the API server of the cluster. */
      readonly kind: 'cluster-unreachable';
    }
  | {
      /** A managed node group shows a health issue. */
      readonly kind: 'node-group-issue';
      readonly code: GroupIssueCode;
      readonly nodegroup?: string;
      readonly message?: string;
    }
  | {
      /** Traffic is shifted away from a zone: nodes are not repaired meanwhile. */
      readonly kind: 'zonal-shift';
      readonly zone?: string;
    }
  | {
      /** A finding about the cluster's next update comes out so [ERROR]. */
      readonly kind: 'insight';
      readonly category?: CategoryName;
      readonly status?: FindingStatus;
    }
  | {
      /** EC2 describes instances as they were a while ago: new ones are not there yet, ended ones still run. */
      readonly kind: 'stale-describes';
      readonly lagMs: number;
    }
  | {
      /** EC2 reclaims a running spot instance after a notice, the oldest that matches. Over when it has. */
      readonly kind: 'spot-interruption';
      readonly instanceId?: string;
      readonly instanceType?: string;
      readonly zone?: string;
      /** From the warning to the end [two minutes]. */
      readonly noticeMs?: number;
      /** When it ends, RFC 3339; the sandbox's to say. */
      readonly endsAt?: string;
    }
  | {
      /** EC2 says of a running spot instance that it may be reclaimed soon, the oldest that matches. Over when it is gone. */
      readonly kind: 'rebalance-recommendation';
      readonly instanceId?: string;
      readonly instanceType?: string;
      readonly zone?: string;
    }
  | {
      /** The owner of a capacity reservation takes it back: its instances end after a notice. Over when they have. */
      readonly kind: 'reservation-interruption';
      readonly capacityReservationId: string;
      /** From the warning to the end [two minutes]. */
      readonly noticeMs?: number;
      /** When they end, RFC 3339; the sandbox's to say. */
      readonly endsAt?: string;
    }
  | {
      /** Something is planned for a running instance, the oldest that matches; clearing the fault calls it off. */
      readonly kind: 'scheduled-change';
      /** EC2's word for it [instance-retirement]. */
      readonly code?: string;
      readonly instanceId?: string;
      readonly instanceType?: string;
      readonly zone?: string;
      /** When it begins, RFC 3339; the sandbox's to say: in two weeks. */
      readonly startsAt?: string;
    }
  | {
      /** EC2's checks of a running instance fail, of the oldest that matches. */
      readonly kind: 'impaired-instance';
      /** What does not answer: the software on it, or what it runs on [instance]. */
      readonly check?: 'instance' | 'system';
      readonly instanceId?: string;
      readonly instanceType?: string;
      readonly zone?: string;
      /** Since when, RFC 3339; the sandbox's to say. */
      readonly since?: string;
    }
  | ({
      /** How nodes behave that are launched while the fault stands; with an instance id, how that one behaves from now on. */
      readonly kind: 'node-behavior';
      readonly behavior: NodeBehavior;
      readonly instanceId?: string;
      /** Labels of the pods whose containers fail [half of all pods]; for `containersFail`. */
      readonly pods?: Readonly<Record<string, string>>;
    } & PlaceFilter);

export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;

export type ActiveFault<F extends Fault = Fault> = { readonly id: string; readonly fault: F };

/** A fault that cannot be used; the message names each field, its value and what would be right. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
}
