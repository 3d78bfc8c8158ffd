import { instant } from '@nodewright/apis';
import { FaultError, type Fault } from '@nodewright/aws-endpoints';
import type { Clock, Random } from '@nodewright/runtime';
import type { Sandbox } from '@nodewright/sandbox';
import type { ReleaseBehavior } from '../reading/scenario-file.ts';
import type { RecordedInstance } from './launched-instances.ts';

type BehaviorWorld = { readonly sandbox: Sandbox; readonly clock: Clock; readonly random: Random };

/**
 * How instances of releases behave: some of them, and after a while. What concerns every instance from its launch on is a
 * behaviour of the release itself, and not of this.
 */
export class ReleaseBehaviors {
  readonly #world: BehaviorWorld;
  readonly #behaviors = new Map<string, readonly ReleaseBehavior[]>();

  constructor(world: BehaviorWorld) {
    this.#world = world;
  }

  set(imageIds: readonly string[], behaviors: readonly ReleaseBehavior[]): void {
    for (const id of imageIds) this.#behaviors.set(id, behaviors);
  }

  /** Draws how a new instance behaves. */
  see(instance: RecordedInstance): void {
    const { clock, random } = this.#world;
    for (const { behavior, share, afterMs = 0 } of this.#behaviors.get(instance.imageId) ?? []) {
      if (share < 1 && random.next() >= share) continue;
      const fault: Fault = { kind: 'node-behavior', behavior, instanceId: instance.id };
      clock.at(instant(clock.now() + afterMs), () => this.#begin(fault));
    }
  }

  /** The instance may be gone by then. */
  #begin(fault: Fault): void {
    try {
      this.#world.sandbox.aws.faults.add(fault);
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
    }
  }
}

/** The behaviour that the release itself has: one that concerns every node from its launch on. */
export const behaviorOfAll = (behaviors: readonly ReleaseBehavior[]): ReleaseBehavior | undefined =>
  behaviors.find(({ share, afterMs }) => share === 1 && afterMs === undefined);
