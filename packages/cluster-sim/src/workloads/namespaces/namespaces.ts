import { type Namespace, namespaces, type ResourceType } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { definedKind, kindDefinitions } from '../defined-kinds.ts';
import { namespacedKinds } from '../kinds.ts';
import {
  type NamespaceAction,
  type NamespaceContent,
  type NamespaceSnapshot,
  plan,
  systemNamespaceNames,
} from './plan.ts';

/** Keeps the system's namespaces and empties deleted namespaces. */
export function runNamespaces(control: ClusterControlPlane): void {
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'namespaces',
    observe: (name) => observe(control, name),
    plan,
    perform: (action) => perform(action, client),
  });
  watchNamespaces(control, keys);
}

async function observe(
  { watches, options }: ClusterControlPlane,
  name: string,
): Promise<NamespaceSnapshot | undefined> {
  const namespace = watches.of(namespaces).get(name);
  if (namespace === undefined) return { kind: 'absent', name };
  if (namespace.metadata.deletionTimestamp === undefined) return undefined;
  return { kind: 'deleted', namespace, contents: await listContents(options.client, name), now: options.clock.now() };
}

/** Read from the API: most of these kinds are not watched. */
async function listContents(client: KubernetesClient, namespace: string): Promise<readonly NamespaceContent[]> {
  const contents: NamespaceContent[] = [];
  for (const type of await listNamespacedKinds(client)) {
    const { items = [] } = (await unlessGone(client.list(type, { namespace }))) ?? {};
    contents.push(...items.map((object) => ({ type, object })));
  }
  return contents;
}

/** Custom objects come first: their operators may create others for them again. */
async function listNamespacedKinds(client: KubernetesClient): Promise<readonly ResourceType[]> {
  const { items } = await client.list(kindDefinitions);
  const custom = items.flatMap((definition) => definedKind(definition) ?? []).filter(({ namespaced }) => namespaced);
  return [...custom, ...namespacedKinds];
}

async function perform(action: NamespaceAction, client: KubernetesClient): Promise<void> {
  switch (action.kind) {
    case 'createNamespace':
      await unlessRefusedAs('AlreadyExists', client.create(namespaces, newNamespace(action.name)));
      return;
    case 'deleteObject': {
      const { type, object } = action.content;
      await unlessGone(client.delete(type, keyOfMeta(object.metadata)));
      return;
    }
    case 'finalize':
      await unlessGone(client.update(namespaces, action.namespace, { subresource: 'finalize' }));
  }
}

const newNamespace = (name: string): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
});

/** A namespace is looked at when it changes. */
function watchNamespaces({ watches }: ClusterControlPlane, keys: Keys): void {
  for (const name of systemNamespaceNames) keys.add(name);
  watches.of(namespaces).onChange((before, after) => keys.add(((after ?? before) as Namespace).metadata.name));
}
