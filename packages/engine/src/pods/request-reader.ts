import { oncePerObject, type Pod, type PodSpec } from '@nodewright/apis';
import type { Resources } from '../instance-types/instance-type.ts';
import { podRequests } from './pod-requests.ts';

/** Reads what pods take. Pods that ask in the same words get one and the same object, read once. */
export class RequestReader {
  readonly #byText = new Map<string, Resources>();

  read(pod: Pod): Resources {
    const text = holdsAlready(pod) ? heldText(podRequests(pod)) : requestText(pod.spec);
    let requests = this.#byText.get(text);
    if (requests === undefined) {
      requests = podRequests(pod);
      this.#byText.set(text, requests);
    }
    return requests;
  }

  /** All that was read, each once. */
  get all(): Iterable<Resources> {
    return this.#byText.values();
  }
}

/** Whether what the pod takes also depends on what its containers hold, which may differ from what they ask for. */
export const holdsAlready = ({ status }: Pod): boolean =>
  status?.containerStatuses !== undefined || status?.initContainerStatuses !== undefined;

/** Everything of a pod that its requests depend on before it starts. */
function requestText({ containers, initContainers, overhead, resources }: PodSpec): string {
  const [first, second] = containers;
  if (second === undefined && !initContainers?.length && overhead === undefined && resources === undefined)
    return JSON.stringify(first?.resources) ?? '';
  const parts = [...containers, null, ...(initContainers ?? [])].map(
    (container) => container && [container.resources, container.restartPolicy],
  );
  return JSON.stringify([parts, overhead, resources]);
}

/** Pods that run are read again and again. */
const heldText = oncePerObject((requests: Resources): string => `=${JSON.stringify(requests)}`);
