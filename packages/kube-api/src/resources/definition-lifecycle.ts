import { toTimestamp } from '@nodewright/apis';
import { type ApiObject, storedKeyOf, changeMetadata } from '../storage/api-object.ts';
import type { ObjectChange } from '../storage/collection.ts';
import type { StoredDefinition } from './custom-resource.ts';
import { definitionsCollection } from './registry.ts';
import { withStatusOwner } from './server-owners.ts';
import type { ServerWrites } from './server-writes.ts';

type DefinitionCondition = {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
};

/** The finalizer that keeps a deleted definition until none of its objects is left. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * Drives the status of custom resource definitions. A written definition has its names accepted and is established at
 * once. A deleted definition loses its objects first.
 */
export class DefinitionLifecycle {
  readonly #writes: ServerWrites;

  constructor(writes: ServerWrites) {
    this.#writes = writes;
    writes.store.collection(definitionsCollection).subscribe((change) => this.#follow(change));
  }

  /**
   * Stores a definition that the server starts with, unless a snapshot already contains it. One with a uid of its own draws
   * none: definitions that are added later do not change the uids of everything else.
   */
  install(crd: ApiObject): void {
    const { store, uids, clock } = this.#writes;
    if (store.collection(definitionsCollection).get(storedKeyOf(crd)) !== undefined) return;
    if (crd.kind !== 'CustomResourceDefinition') {
      throw new Error(
        `custom resource ${JSON.stringify(crd.metadata.name)} is a ${crd.kind}, not a CustomResourceDefinition`,
      );
    }
    const metadata = {
      uid: crd.metadata.uid ?? uids.uuid(),
      creationTimestamp: toTimestamp(clock.now()),
      generation: 1,
    };
    store.put(definitionsCollection, withInitialStatus(changeMetadata(crd, metadata)));
  }

  #follow({ type, object }: ObjectChange): void {
    if (type === 'DELETED') return;
    const definition = object as StoredDefinition;
    if (definition.metadata.deletionTimestamp !== undefined) this.#removeObjects(definition);
    else if (!isJudged(definition)) this.#establish(definition);
  }

  #establish(definition: StoredDefinition): void {
    const taken = this.#conflictingNames(definition);
    if (taken !== undefined) return this.#refuseNames(definition, taken);
    const accepted = definitionCondition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found');
    const text = 'the initial names have been accepted';
    this.#write(definition, [accepted, definitionCondition('Established', 'False', 'Installing', text)], true);
    this.#write(definition, [accepted, definitionCondition('Established', 'True', 'InitialNamesAccepted', text)], true);
  }

  #refuseNames(definition: StoredDefinition, message: string): void {
    const accepted = definitionCondition('NamesAccepted', 'False', 'KindConflict', message);
    const established = definitionCondition('Established', 'False', 'NotAccepted', 'not all names are accepted');
    this.#write(definition, [accepted, established], false);
  }

  #conflictingNames({ metadata, spec }: StoredDefinition): string | undefined {
    const others = this.#writes.store.collection(definitionsCollection).list() as readonly StoredDefinition[];
    const clash = others.find(
      (other) =>
        other.metadata.name !== metadata.name &&
        other.spec.group === spec.group &&
        other.spec.names.kind === spec.names.kind,
    );
    return clash && `${JSON.stringify(spec.names.kind)} is already in use`;
  }

  /** Objects with finalizers keep the definition until their finalizers are removed. */
  #removeObjects({ metadata }: StoredDefinition): void {
    const { store, clock } = this.#writes;
    const objects = store.collection(metadata.name);
    for (const object of objects.list()) {
      if ((object.metadata.finalizers ?? []).length === 0) store.remove(metadata.name, storedKeyOf(object));
      else if (object.metadata.deletionTimestamp === undefined) {
        store.put(metadata.name, changeMetadata(object, { deletionTimestamp: toTimestamp(clock.now()) }));
      }
    }
    if (objects.list().length === 0) return this.#release(metadata.name);
    const stop = objects.subscribe(() => {
      if (objects.list().length > 0) return;
      stop();
      this.#release(metadata.name);
    });
  }

  #release(name: string): void {
    const { store } = this.#writes;
    const current = store.collection(definitionsCollection).get({ namespace: '', name });
    const others = (current?.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    if (current === undefined || others.length > 0) return;
    store.remove(definitionsCollection, storedKeyOf(current));
  }

  #write({ metadata }: StoredDefinition, conditions: readonly DefinitionCondition[], namesAccepted: boolean): void {
    const { store, clock } = this.#writes;
    const current = store.collection(definitionsCollection).get(storedKeyOf({ metadata } as ApiObject)) as
      | StoredDefinition
      | undefined;
    if (current === undefined) return;
    const lastTransitionTime = toTimestamp(clock.now());
    const { names } = current.spec;
    const acceptedNames = namesAccepted
      ? {
          ...names,
          singular: names.singular ?? names.kind.toLowerCase(),
          listKind: names.listKind ?? `${names.kind}List`,
        }
      : current.status?.acceptedNames;
    const dated = conditions.map(({ type, status, reason, message }) => ({
      type,
      status,
      lastTransitionTime,
      reason,
      message,
    }));
    const kept = (current.status?.conditions ?? []).filter(
      (other) => !dated.some(({ type }) => type === (other as { readonly type?: string }).type),
    );
    const after = { ...current, status: { ...current.status, conditions: [...kept, ...dated], acceptedNames } };
    const writer = { manager: 'kube-apiserver', now: lastTransitionTime };
    store.put(definitionsCollection, withStatusOwner(current, after, writer));
  }
}

const definitionCondition = (
  type: string,
  status: DefinitionCondition['status'],
  reason: string,
  message: string,
): DefinitionCondition => ({
  type,
  status,
  reason,
  message,
});

const isJudged = ({ status }: StoredDefinition): boolean =>
  (status?.conditions ?? []).some((condition) => (condition as { readonly type?: string }).type === 'NamesAccepted');

function withInitialStatus(crd: ApiObject): ApiObject {
  const storage = (crd as StoredDefinition).spec.versions.find((version) => version.storage);
  return {
    ...crd,
    status: {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storage === undefined ? [] : [storage.name],
    },
  };
}
