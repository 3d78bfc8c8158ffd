import { type KubernetesObject, type Pod, pods, type ResourceType } from '@nodewright/apis';
import { ApiError, type EventRecorder, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane } from '../control-plane/control-plane.ts';
import { Expectations } from '../control-plane/expectations.ts';
import { recorderOf } from '../control-plane/recorder.ts';
import { deleteSameObject } from '../control-plane/writes.ts';
import type { Watched } from '../control-plane/watched.ts';
import { controllerKey } from '../objects/ownership.ts';

/** The message of the event about a pod that an owner created or deleted. */
type EventWording = (deed: 'create' | 'delete', podName: string, owner: KubernetesObject) => string;

/** The message of the event about a pod that could not be created. */
type FailureWording = (because: string, podName: string, owner: KubernetesObject) => string;

const usualFailure: FailureWording = (because) => `Error creating: ${because}`;

/** Lost races are not told of, and neither is the end of a namespace. */
const isTold = ({ reason, status }: ApiError): boolean =>
  !['AlreadyExists', 'Conflict', 'NotFound'].includes(reason) &&
  !(status.details?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');

const usualWording: EventWording = (deed, podName) => `${deed === 'create' ? 'Created' : 'Deleted'} pod: ${podName}`;

/** Creates and deletes the pods of one kind of owner, and keeps track of the writes that the watch has not shown yet. */
export class PodControl {
  readonly #control: ClusterControlPlane;
  readonly #type: ResourceType;
  readonly #wording: EventWording;
  readonly #failure: FailureWording;
  /** Records in the name of the owners' controller. A second recorder of that name would give its events the same names. */
  readonly events: EventRecorder;
  readonly #expectations: Expectations;
  readonly #watched: Watched<Pod>;

  /** @param type of the owners */
  constructor(
    control: ClusterControlPlane,
    type: ResourceType,
    wording: EventWording = usualWording,
    failure: FailureWording = usualFailure,
  ) {
    this.#failure = failure;
    this.#control = control;
    this.#type = type;
    this.#wording = wording;
    this.events = recorderOf(control.options, `${type.kind.toLowerCase()}-controller`);
    this.#expectations = new Expectations(control.options.clock);
    this.#watched = control.watches.of(pods);
    this.#watched.onChange((before, after) => {
      const owner = controllerKey((after ?? before) as Pod, type.kind);
      if (owner !== undefined) this.#seen(owner, before, after);
    });
  }

  /** Until when the owner has to wait at most for the watch to show its pods. A pod that the watch shows wakes the owner earlier. */
  heldUntil(owner: string): ReturnType<Expectations['heldUntil']> {
    return this.#expectations.heldUntil(owner);
  }

  async create(owner: KubernetesObject, pod: Pod): Promise<void> {
    const created = await this.#created(owner, pod);
    const isSeen = this.#watched.get(objectKeyText(created))?.metadata.uid === created.metadata.uid;
    if (!isSeen) this.#expectations.expect(objectKeyText(owner), birthOf(created));
    this.#tell(owner, 'SuccessfulCreate', this.#wording('create', created.metadata.name, owner));
  }

  async delete(owner: KubernetesObject, pod: Pod): Promise<void> {
    this.#expectations.expect(objectKeyText(owner), endExpectationOf(pod));
    await deleteSameObject(this.#control.options.client, pods, pod);
    this.#tell(owner, 'SuccessfulDelete', this.#wording('delete', pod.metadata.name, owner));
  }

  /** What keeps a pod from being made is told of its owner: a quota, a policy, a missing service account. */
  async #created(owner: KubernetesObject, pod: Pod): Promise<Pod> {
    try {
      return await this.#control.options.client.create(pods, pod);
    } catch (error) {
      if (error instanceof ApiError && isTold(error)) {
        const message = this.#failure(error.message, pod.metadata.name, owner);
        this.events.publish({ kind: this.#type, about: owner, type: 'Warning', reason: 'FailedCreate', message });
      }
      throw error;
    }
  }

  #tell(about: KubernetesObject, reason: string, message: string): void {
    this.events.publish({ kind: this.#type, about, type: 'Normal', reason, message });
  }

  #seen(owner: string, before: Pod | undefined, after: Pod | undefined): void {
    if (after !== undefined) this.#expectations.seen(owner, birthOf(after));
    if (after?.metadata.deletionTimestamp !== undefined) this.#expectations.seen(owner, endExpectationOf(after));
    if (after === undefined && before !== undefined) this.#expectations.seen(owner, endExpectationOf(before));
  }
}

const birthOf = ({ metadata }: Pod): string => `birth of ${metadata.uid}`;
const endExpectationOf = ({ metadata }: Pod): string => `end of ${metadata.uid}`;
