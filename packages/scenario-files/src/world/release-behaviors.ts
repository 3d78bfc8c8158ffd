import { instant } from '@nodewright/apis';
import { FaultError, type Fault, type ImageRelease } from '@nodewright/aws-endpoints';
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

  set(images: readonly ImageRelease[], behaviors: readonly ReleaseBehavior[]): void {
    for (const image of images)
      this.#behaviors.set(
        image.imageId,
        behaviors.filter((behavior) => concernsImage(behavior, image)),
      );
  }

  /** Draws how a new instance behaves. */
  see(instance: RecordedInstance): void {
    const { clock, random } = this.#world;
    for (const { behavior, share, pods, afterMs = 0 } of this.#behaviors.get(instance.imageId) ?? []) {
      if (share < 1 && random.next() >= share) continue;
      const { id: instanceId } = instance;
      const fault: Fault = { kind: 'node-behavior', behavior, instanceId, ...(pods && { pods }) };
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

export const concernsImage = (
  { variant, arch }: ReleaseBehavior,
  image: Pick<ImageRelease, 'variant' | 'arch'>,
): boolean => (variant ?? image.variant) === image.variant && (arch ?? image.arch) === image.arch;

/** The behaviour that the release itself has: one that concerns every node and every pod from its launch on. */
export const behaviorOfAll = (behaviors: readonly ReleaseBehavior[]): ReleaseBehavior | undefined =>
  behaviors.find(
    ({ share, afterMs, pods, variant, arch }) =>
      share === 1 && [afterMs, pods, variant, arch].every((limit) => limit === undefined),
  );
