import { type Pod, pods } from '@nodewright/apis';
import { keyOf } from '@nodewright/runtime';
import type { ControlPlane } from '../control/control-plane.ts';
import { Expectations } from '../control/expectations.ts';
import { keyOfMeta } from '../control/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../control/refusals.ts';
import type { Watched } from '../control/watched.ts';
import { controllerKey } from './ownership.ts';

/** Creates and deletes the pods of one kind of owner, and knows which of that the watch has not shown yet. */
export class PodControl {
  readonly #control: ControlPlane;
  readonly #expectations: Expectations;
  readonly #watched: Watched<Pod>;

  /** @param ownerKind `ReplicaSet`: whose pods it looks after */
  constructor(control: ControlPlane, ownerKind: string) {
    this.#control = control;
    this.#expectations = new Expectations(control.options.clock);
    this.#watched = control.watches.of(pods);
    this.#watched.onChange((before, after) => {
      const owner = controllerKey((after ?? before) as Pod, ownerKind);
      if (owner !== undefined) this.#seen(owner, before, after);
    });
  }

  /** Until when the owner is not to be looked at, at most; it is looked at as soon as the watch shows the rest. */
  heldUntil(owner: string): ReturnType<Expectations['heldUntil']> {
    return this.#expectations.heldUntil(owner);
  }

  async create(owner: string, pod: Pod): Promise<void> {
    const created = await this.#control.options.client.create(pods, pod);
    const isSeen = this.#watched.get(keyOf(created))?.metadata.uid === created.metadata.uid;
    if (!isSeen) this.#expectations.expect(owner, birthOf(created));
  }

  async delete(owner: string, pod: Pod): Promise<void> {
    this.#expectations.expect(owner, endOf(pod));
    const options = pod.metadata.uid === undefined ? {} : { preconditions: { uid: pod.metadata.uid } };
    const deletion = this.#control.options.client.delete(pods, keyOfMeta(pod.metadata), options);
    await unlessRefusedAs('Conflict', unlessGone(deletion));
  }

  #seen(owner: string, before: Pod | undefined, after: Pod | undefined): void {
    if (after !== undefined) this.#expectations.seen(owner, birthOf(after));
    if (after?.metadata.deletionTimestamp !== undefined) this.#expectations.seen(owner, endOf(after));
    if (after === undefined && before !== undefined) this.#expectations.seen(owner, endOf(before));
  }
}

const birthOf = ({ metadata }: Pod): string => `birth of ${metadata.uid}`;
const endOf = ({ metadata }: Pod): string => `end of ${metadata.uid}`;
