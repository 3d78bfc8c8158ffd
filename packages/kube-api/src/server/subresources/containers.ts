import { badRequestError } from '../../http/status-error.ts';
import type { ApiObject } from '../../storage/api-object.ts';

type NamedContainers = readonly { readonly name: string }[];

type SeenContainer = {
  readonly name: string;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: object;
  };
  readonly lastState?: { readonly terminated?: object };
};

/** The members of a pod that say which containers can be reached. */
export type ConnectedPod = ApiObject & {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: NamedContainers;
    readonly initContainers?: NamedContainers;
    readonly ephemeralContainers?: NamedContainers;
  };
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly SeenContainer[];
    readonly initContainerStatuses?: readonly SeenContainer[];
    readonly ephemeralContainerStatuses?: readonly SeenContainer[];
  };
};

/** The container that a request means. Without a name it is the only one. */
export function containerNameOf({ metadata, spec = {} }: ConnectedPod, asked: string | null): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  const names = (list: NamedContainers): string => list.map(({ name }) => name).join(' ');
  if (asked === null || asked === '') {
    const [only] = containers;
    if (only !== undefined && containers.length === 1) return only.name;
    const init = initContainers.length === 0 ? '' : ` or one of the init containers: [${names(initContainers)}]`;
    throw badRequestError(
      `a container name must be specified for pod ${metadata.name}, choose one of: [${names(containers)}]${init}`,
    );
  }
  const all = [...containers, ...initContainers, ...ephemeralContainers];
  if (all.some(({ name }) => name === asked)) return asked;
  throw badRequestError(`container ${asked} is not valid for pod ${metadata.name}`);
}

export function statusOfContainer({ status = {} }: ConnectedPod, name: string): SeenContainer | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (each) => each.name === name,
  );
}
