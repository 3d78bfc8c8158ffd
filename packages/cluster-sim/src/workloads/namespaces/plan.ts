import {
  type Instant,
  instant,
  type KubernetesObject,
  type Namespace,
  type ResourceType,
  seconds,
} from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';

/** Namespaces that a cluster always has. */
export const systemNamespaceNames: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** The entry of `spec.finalizers` that keeps a namespace until it is empty. */
const contentFinalizer = 'kubernetes';
const emptyingMs = seconds(1);

export type NamespaceSnapshot =
  | { readonly kind: 'absent'; readonly name: string }
  | {
      readonly kind: 'deleted';
      readonly namespace: Namespace;
      /** Every object in it; owners come before the objects that they would create again. */
      readonly contents: readonly NamespaceContent[];
      readonly now: Instant;
    };

export type NamespaceContent = { readonly type: ResourceType; readonly object: KubernetesObject };

export type NamespaceAction =
  | { readonly kind: 'createNamespace'; readonly name: string }
  | { readonly kind: 'deleteObject'; readonly content: NamespaceContent }
  /** Lets the namespace go. */
  | { readonly kind: 'finalize'; readonly namespace: Namespace };

/**
 * Creates the system's namespaces and empties deleted namespaces.
 * A deleted namespace is released when a look finds it empty, not when its last object was asked to go.
 */
export function plan(snapshot: NamespaceSnapshot): ControllerPlan<NamespaceAction> {
  switch (snapshot.kind) {
    case 'absent': {
      const { name } = snapshot;
      return { actions: systemNamespaceNames.includes(name) ? [{ kind: 'createNamespace', name }] : [] };
    }
    case 'deleted': {
      const { namespace, contents, now } = snapshot;
      if (contents.length === 0) return { actions: [releaseNamespace(namespace)] };
      const staying = contents.filter(({ object }) => object.metadata.deletionTimestamp === undefined);
      return {
        actions: staying.map((content) => ({ kind: 'deleteObject', content })),
        recheckAt: instant(now + emptyingMs),
      };
    }
  }
}

function releaseNamespace(namespace: Namespace): NamespaceAction {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== contentFinalizer);
  return { kind: 'finalize', namespace: { ...namespace, spec: { ...namespace.spec, finalizers } } };
}
