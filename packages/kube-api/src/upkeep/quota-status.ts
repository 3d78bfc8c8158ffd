import type { ResourceList } from '@nodewright/apis';
import { movedAmounts } from '../admission/quota/amounts.ts';
import { objectUsage } from '../admission/quota/object-usage.ts';
import { isInScope, type ResourceQuota } from '../admission/quota/quota-scope.ts';
import { asJsonValue, isEqualJson } from '../schema/json.ts';
import { type ApiObject, storedKeyOf } from '../storage/api-object.ts';
import type { ObjectChange } from '../storage/collection.ts';
import type { ApiObjectStore } from '../storage/store.ts';

const quotaCollection = 'resourcequotas';

/**
 * Keeps `status.used` of every quota. The status is right when the answer of a write leaves the server, so that
 * concurrent writers never take more than the quota has.
 */
export class QuotaStatus {
  readonly #store: ApiObjectStore;

  constructor(store: ApiObjectStore) {
    this.#store = store;
  }

  /** Follows a change of any object. It costs nothing in a namespace without a quota. */
  follow(collection: string, { type, object, previous }: ObjectChange): void {
    const { namespace = '' } = object.metadata;
    if (namespace === '') return;
    if (collection === quotaCollection && type !== 'DELETED') this.#recount(object);
    const quotas = this.#store.collection(quotaCollection).list(namespace) as readonly ResourceQuota[];
    for (const quota of quotas) {
      if (collection === quotaCollection && quota.metadata.name === object.metadata.name) continue;
      const after = type === 'DELETED' ? undefined : object;
      const before = type === 'ADDED' ? undefined : (previous ?? object);
      this.#move(quota, this.#usage(quota, collection, after), this.#usage(quota, collection, before));
    }
  }

  #usage(quota: ResourceQuota, collection: string, object: ApiObject | undefined): ResourceList {
    if (object === undefined || !isInScope(quota, collection, object)) return {};
    return objectUsage(collection, object);
  }

  #move(quota: ResourceQuota, taken: ResourceList, released: ResourceList): void {
    const used = quota.status?.used ?? {};
    this.#write(quota, { hard: quota.status?.hard ?? {}, used: movedAmounts(used, taken, released) });
  }

  /** Counts everything in the namespace when the limits of a quota are new. */
  #recount(quota: ResourceQuota): void {
    const hard = quota.spec?.hard ?? {};
    if (quota.status?.hard !== undefined && isEqualJson(asJsonValue(quota.status.hard), asJsonValue(hard))) return;
    let used: ResourceList = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
    for (const collection of countedCollections(hard)) {
      for (const object of this.#store.collection(collection).list(quota.metadata.namespace)) {
        used = movedAmounts(used, this.#usage(quota, collection, object), {});
      }
    }
    this.#write(quota, { hard, used });
  }

  #write(quota: ResourceQuota, status: { readonly hard: ResourceList; readonly used: ResourceList }): void {
    const current = this.#store.collection(quotaCollection).get(storedKeyOf(quota));
    if (current === undefined || isEqualJson(asJsonValue(current['status'] ?? {}), asJsonValue(status))) return;
    this.#store.put(quotaCollection, { ...current, status });
  }
}

/** The collections whose objects count for one of these limits. */
function countedCollections(hard: ResourceList): ReadonlySet<string> {
  return new Set(Object.keys(hard).map(collectionOf));
}

function collectionOf(name: string): string {
  if (name.startsWith('count/')) return name.slice('count/'.length);
  if (name.startsWith('services')) return 'services';
  if (
    /^persistentvolumeclaims$|storage$|\.storageclass\.storage\.k8s\.io\//.test(name) &&
    !name.includes('ephemeral')
  ) {
    return 'persistentvolumeclaims';
  }
  return ['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'].includes(name) ? name : 'pods';
}
