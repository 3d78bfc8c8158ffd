import { instant, type Namespace, namespaces } from '@nodewright/apis';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { namespacedKinds, serviceAccounts } from '../kinds.ts';

const systemNamespaceNames = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const finalizer = 'kubernetes';
const emptyingMs = 1_000;

/** Sees that the system's namespaces are there, that each has its default service account, and that deleted ones are emptied. */
export function runNamespaces(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const known = watches.of(namespaces);
  const accounts = watches.of(serviceAccounts);

  const reconcile = async (name: string): Promise<Recheck> => {
    const namespace = known.get(name);
    if (namespace === undefined) return systemNamespaceNames.includes(name) ? create(name) : undefined;
    if (namespace.metadata.deletionTimestamp === undefined) return furnish(name);
    const isEmpty = await empty(name);
    if (!isEmpty) return instant(clock.now() + emptyingMs);
    await release(namespace);
    return undefined;
  };

  const create = async (name: string): Promise<undefined> => {
    const namespace: Namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    };
    await unlessRefusedAs('AlreadyExists', client.create(namespaces, namespace));
  };

  const furnish = async (namespace: string): Promise<undefined> => {
    if (accounts.get(`${namespace}/default`) !== undefined) return;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    await unlessRefusedAs('AlreadyExists', unlessGone(client.create(serviceAccounts, account)));
  };

  /** Whether nothing is left in it. */
  const empty = async (namespace: string): Promise<boolean> => {
    let left = 0;
    for (const type of namespacedKinds) {
      const { items = [] } = (await unlessGone(client.list(type, { namespace }))) ?? {};
      left += items.length;
      const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      for (const { metadata } of staying) await unlessGone(client.delete(type, keyOfMeta(metadata)));
    }
    return left === 0;
  };

  const release = async (namespace: Namespace): Promise<void> => {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== finalizer);
    const released = { ...namespace, spec: { ...namespace.spec, finalizers } };
    await unlessGone(client.update(namespaces, released, { subresource: 'finalize' }));
  };

  const keys = control.controller('namespaces', reconcile);
  for (const name of systemNamespaceNames) keys.add(name);
  known.onChange((before, after) => keys.add(((after ?? before) as Namespace).metadata.name));
  accounts.onChange((before, after) => {
    if (after === undefined) keys.add(before?.metadata.namespace ?? '');
  });
}
