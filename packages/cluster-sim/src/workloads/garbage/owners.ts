import { apiVersionOf, type KubernetesObject, type OwnerReference, type ResourceType } from '@nodewright/apis';
import { type IndexBy, objectKeyText, type KubernetesClient } from '@nodewright/runtime';
import type { Watched } from '../../control-plane/watched.ts';
import type { ClusterWatches } from '../../control-plane/watches.ts';

export const foreground = 'foregroundDeletion';
export const orphaning = 'orphan';

/** An object with its kind. */
export type Item = { readonly type: ResourceType; readonly object: KubernetesObject };

/** `leaving`: deleted in the foreground, and waits for its dependents to go first. */
export type OwnerState = 'present' | 'leaving' | 'absent';

const byOwner: IndexBy<KubernetesObject> = ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid);

/** The ownership between the objects of some kinds, read from their watches. */
export class Owners {
  readonly #client: KubernetesClient;
  readonly #kinds: readonly { readonly type: ResourceType; readonly watched: Watched<KubernetesObject> }[];
  /** Owners that do not exist any more. No object gets the uid of an earlier one. */
  readonly #gone = new Set<string>();

  constructor(
    client: KubernetesClient,
    sources: readonly { watches: ClusterWatches; types: readonly ResourceType[] }[],
  ) {
    this.#client = client;
    this.#kinds = sources.flatMap(({ watches, types }) => types.map((type) => ({ type, watched: watches.of(type) })));
  }

  onChange(
    handler: (type: ResourceType, before: KubernetesObject | undefined, after: KubernetesObject | undefined) => void,
  ): void {
    for (const { type, watched } of this.#kinds) watched.onChange((before, after) => handler(type, before, after));
  }

  find(name: string): Item | undefined {
    const [kind, key] = splitAtSpace(name);
    const found = this.#kinds.find(({ type }) => kindName(type) === kind);
    const object = found?.watched.get(key);
    return found === undefined || object === undefined ? undefined : { type: found.type, object };
  }

  dependents({ object }: Item): readonly Item[] {
    const uid = object.metadata.uid ?? '';
    return this.#kinds.flatMap(({ type, watched }) =>
      watched.by(byOwner, uid).map((dependent) => ({ type, object: dependent })),
    );
  }

  /** The name of the owner that a reference of `object` means; none when its kind is not watched. */
  ownerName(object: KubernetesObject, reference: OwnerReference): string | undefined {
    const type = this.#typeOf(reference);
    return type === undefined ? undefined : ownerNameOf(type, objectKeyText(ownerKey(type, object, reference)));
  }

  /** The API has to confirm that an owner is absent, because its watch may be behind the watch of the dependent. */
  async stateOf(object: KubernetesObject, reference: OwnerReference): Promise<OwnerState> {
    const type = this.#typeOf(reference);
    if (type === undefined) return 'present';
    if (this.#gone.has(reference.uid)) return 'absent';
    const key = ownerKey(type, object, reference);
    const seen = this.find(ownerNameOf(type, objectKeyText(key)))?.object;
    const owner = seen?.metadata.uid === reference.uid ? seen : await this.#client.get(type, key.metadata);
    if (owner?.metadata.uid !== reference.uid) {
      this.#gone.add(reference.uid);
      return 'absent';
    }
    return isBeingDeleted(owner) && reference.blockOwnerDeletion === true ? 'leaving' : 'present';
  }

  #typeOf({ apiVersion, kind }: OwnerReference): ResourceType | undefined {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    return this.#kinds.find(({ type }) => type.group === group && type.kind === kind)?.type;
  }
}

export const ownerNameOf = (type: ResourceType, key: string): string => `${kindName(type)} ${key}`;

const kindName = (type: ResourceType): string => `${type.plural}@${apiVersionOf(type)}`;

const isBeingDeleted = ({ metadata }: KubernetesObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(foreground);

function ownerKey(type: ResourceType, { metadata }: KubernetesObject, { name }: OwnerReference): KubernetesObject {
  const { namespace } = metadata;
  return { metadata: type.namespaced && namespace !== undefined ? { name, namespace } : { name } };
}

const splitAtSpace = (name: string): readonly [string, string] => {
  const space = name.indexOf(' ');
  return [name.slice(0, space), name.slice(space + 1)];
};
