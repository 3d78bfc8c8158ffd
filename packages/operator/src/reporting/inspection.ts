import { byTextOf } from '@nodewright/apis';
import type { ControllerLoad } from '@nodewright/runtime';

/** What a round of provisioning saw and decided, for a person who looks into the process. */
export type RoundDigest = {
  /** RFC 3339. */
  readonly at: string;
  readonly tookMs: number;
  readonly pendingPods: number;
  readonly newNodes: readonly { readonly nodePool: string; readonly pods: number; readonly instanceTypes: number }[];
  /** Pods that wait for nodes which are there, or come up. */
  readonly onNodes: readonly { readonly node: string; readonly pods: number }[];
  /** The first of them; `unschedulablePods` counts all. */
  readonly unschedulable: readonly { readonly pod: string; readonly because: string }[];
  readonly unschedulablePods: number;
  readonly deferredPods: number;
  readonly unreachedPods: number;
};

/** How many objects a controller knows. */
export type StateCounts = Readonly<Record<string, number>>;

export type OperatorInspectionReport = {
  readonly state?: StateCounts;
  readonly round?: RoundDigest;
  readonly queues: Readonly<Record<string, ControllerLoad>>;
};

/** Keeps the latest of what controllers tell about themselves. Nothing decides on it. */
export class OperatorInspection {
  readonly #loads = new Map<string, ControllerLoad>();
  #round: RoundDigest | undefined;
  #countState: (() => StateCounts) | undefined;

  noteLoad(controller: string, load: ControllerLoad): void {
    this.#loads.set(controller, load);
  }

  noteRound(round: RoundDigest): void {
    this.#round = round;
  }

  /** @param count asked anew for each report */
  watchState(count: () => StateCounts): void {
    this.#countState = count;
  }

  report(): OperatorInspectionReport {
    const queues = Object.fromEntries([...this.#loads].toSorted(byTextOf(([name]) => name)));
    return {
      ...(this.#countState && { state: this.#countState() }),
      ...(this.#round && { round: this.#round }),
      queues,
    };
  }
}
