import { type Pod, pods } from '@nodewright/apis';
import type { EventRecorder } from '@nodewright/runtime';

/** What a kubelet tells about the containers of a pod: the lines of `kubectl describe pod`. */
export class PodEvents {
  readonly #recorder: EventRecorder;

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder;
  }

  /** @param pulled images that were not on the node before */
  started(pod: Pod, pulled: ReadonlySet<string>): void {
    for (const { name, image = '' } of pod.spec.containers) {
      this.#normal(
        pod,
        'Pulled',
        pulled.has(image) ? `Successfully pulled image "${image}"` : imagePresentMessage(image),
      );
      this.#normal(pod, 'Created', `Created container ${name}`);
      this.#normal(pod, 'Started', `Started container ${name}`);
    }
  }

  failed(pod: Pod): void {
    const message = 'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed';
    this.#recorder.publish({ kind: pods, about: pod, type: 'Warning', reason: 'Failed', message });
  }

  ending(pod: Pod): void {
    for (const { name } of pod.spec.containers) this.#normal(pod, 'Killing', `Stopping container ${name}`);
  }

  resized(pod: Pod): void {
    this.#normal(pod, 'ResizeCompleted', `Pod resize completed: ${resizeSummary(pod)}`);
  }

  resizePending(pod: Pod, { reason, message: error }: { readonly reason: string; readonly message: string }): void {
    const message = `Pod resize ${reason}: ${resizeSummary(pod, { error })}`;
    this.#recorder.publish({ kind: pods, about: pod, type: 'Warning', reason: `Resize${reason}`, message });
  }

  #normal(pod: Pod, reason: string, message: string): void {
    this.#recorder.publish({ kind: pods, about: pod, type: 'Normal', reason, message });
  }
}

function resizeSummary({ metadata: { generation }, spec }: Pod, more: { readonly error?: string } = {}): string {
  const containers = spec.containers.map(({ name, resources = {} }) => ({ name, resources }));
  return JSON.stringify({ containers, generation, ...more });
}

const imagePresentMessage = (image: string): string => `Container image "${image}" already present on machine`;
