import { toTimestamp } from '@nodewright/apis';
import type { ServerWrites } from '../resources/server-writes.ts';
import { type ApiObject, storedKeyOf } from '../storage/api-object.ts';
import type { ObjectChange } from '../storage/collection.ts';

const accountName = 'default';
const bundleName = 'kube-root-ca.crt';

/**
 * Keeps what every namespace has: the service account `default` and the ConfigMap with the certificate of the cluster's
 * authority. They are there when the namespace is answered, so that pods can follow at once.
 */
export class NamespaceObjects {
  readonly #writes: ServerWrites;
  readonly #bundle: { readonly 'ca.crt': string } | undefined;

  /** @param certificateAuthority PEM; a server without an authority of its own publishes none */
  constructor(writes: ServerWrites, certificateAuthority: string | undefined) {
    this.#writes = writes;
    this.#bundle = certificateAuthority === undefined ? undefined : { 'ca.crt': certificateAuthority };
    const { store } = writes;
    store.collection('namespaces').subscribe(({ type, object }) => {
      if (type !== 'DELETED') this.#complete(object.metadata.name);
    });
    for (const collection of ['serviceaccounts', 'configmaps']) {
      store.collection(collection).subscribe((change) => this.#follow(change));
    }
  }

  /** Completes the namespaces that are there already. */
  completeAll(): void {
    for (const { metadata } of this.#writes.store.collection('namespaces').list()) this.#complete(metadata.name);
  }

  #follow({ type, object }: ObjectChange): void {
    const { name, namespace = '' } = object.metadata;
    if (name === accountName && object.kind === 'ServiceAccount' && type === 'DELETED') this.#complete(namespace);
    if (name === bundleName && object.kind === 'ConfigMap') this.#complete(namespace);
  }

  #complete(name: string): void {
    const { store } = this.#writes;
    const namespace = store.collection('namespaces').get({ namespace: '', name });
    if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return;
    const account = { namespace: name, name: accountName };
    if (store.collection('serviceaccounts').get(account) === undefined) {
      this.#put('serviceaccounts', { kind: 'ServiceAccount', apiVersion: 'v1', metadata: account });
    }
    if (this.#bundle !== undefined) this.#publish(this.#bundle, name);
  }

  #publish(data: { readonly 'ca.crt': string }, namespace: string): void {
    const present = this.#writes.store.collection('configmaps').get({ namespace, name: bundleName });
    const published = present?.['data'] as Readonly<Record<string, string>> | undefined;
    if (published?.['ca.crt'] === data['ca.crt']) return;
    this.#put('configmaps', { ...(present ?? newBundle(namespace)), data });
  }

  #put(collection: string, object: ApiObject): void {
    const { store, uids, clock } = this.#writes;
    if (store.collection(collection).get(storedKeyOf(object)) !== undefined) return void store.put(collection, object);
    // Only some servers publish a bundle. Its UID is none of the sequence that other objects get theirs from.
    const source = collection === 'configmaps' ? uids.fork(`bundle of ${object.metadata.namespace}`) : uids;
    const identity = { uid: source.uuid(), creationTimestamp: toTimestamp(clock.now()) };
    store.put(collection, { ...object, metadata: { ...object.metadata, ...identity } });
  }
}

const newBundle = (namespace: string): ApiObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: bundleName, namespace, annotations: { 'kubernetes.io/description': bundleDescription } },
});

const bundleDescription =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';
