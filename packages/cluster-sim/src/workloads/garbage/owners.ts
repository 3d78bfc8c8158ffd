import { apiVersionOf, type KubernetesObject, type OwnerReference, type ResourceType } from '@nodewright/apis';
import { type IndexBy, objectKeyText, type KubernetesClient } from '@nodewright/runtime';
import type { Watched } from '../../control-plane/watched.ts';

export const foreground = 'foregroundDeletion';
export const orphaning = 'orphan';

/** An object with its kind. */
export type Item = { readonly type: ResourceType; readonly object: KubernetesObject };

/** `leaving`: deleted in the foreground, and waits for its dependents to go first. */
export type OwnerState = 'present' | 'leaving' | 'absent';

const byOwner: IndexBy<KubernetesObject> = ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid);

type FollowedKind = { readonly type: ResourceType; readonly watched: Watched<KubernetesObject> };

type OwnedChange = (
  type: ResourceType,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
) => void;

/** The ownership between the objects of the kinds that it follows, read from their watches. */
export class Owners {
  readonly #client: KubernetesClient;
  readonly #onChange: OwnedChange;
  /** By name. */
  readonly #kinds = new Map<string, FollowedKind>();
  /** Owners that do not exist any more. No object gets the uid of an earlier one. */
  readonly #gone = new Set<string>();

  /** @param onChange is called for every change of an object of a kind that is followed */
  constructor(client: KubernetesClient, onChange: OwnedChange) {
    this.#client = client;
    this.#onChange = onChange;
  }

  follow(type: ResourceType, watched: Watched<KubernetesObject>): void {
    this.#kinds.set(kindName(type), { type, watched });
    watched.onChange((before, after) => {
      if (before !== undefined && after === undefined) this.#noteEnd({ type, object: before });
      this.#onChange(type, before, after);
    });
  }

  leave(type: ResourceType): void {
    this.#kinds.delete(kindName(type));
  }

  /** The kind is not defined any more, and its objects are gone with it. */
  drop(type: ResourceType): void {
    const objects = this.#kinds.get(kindName(type))?.watched.all() ?? [];
    this.leave(type);
    for (const object of objects) {
      this.#noteEnd({ type, object });
      this.#onChange(type, object, undefined);
    }
  }

  #noteEnd(item: Item): void {
    if (this.dependents(item).length > 0) this.#gone.add(item.object.metadata.uid ?? '');
  }

  find(name: string): Item | undefined {
    const [kind, key] = splitAtSpace(name);
    const found = this.#kinds.get(kind);
    const object = found?.watched.get(key);
    return found === undefined || object === undefined ? undefined : { type: found.type, object };
  }

  dependents({ object }: Item): readonly Item[] {
    const uid = object.metadata.uid ?? '';
    return [...this.#kinds.values()].flatMap(({ type, watched }) =>
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
    if (this.#gone.has(reference.uid)) return 'absent';
    const type = this.#typeOf(reference);
    if (type === undefined) return 'present';
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
    return [...this.#kinds.values()].find(({ type }) => type.group === group && type.kind === kind)?.type;
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
