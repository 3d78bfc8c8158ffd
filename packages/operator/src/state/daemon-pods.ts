import type { DaemonSet, Pod } from '@nodewright/apis';
import { isActivePod } from '@nodewright/engine';
import type { Objects } from './objects.ts';

/** What each DaemonSet would run on a new node: its newest live pod, or what its template says. */
export const daemonPodsOf = (objects: Objects): readonly Pod[] =>
  objects.daemonSets.list().map((daemonSet) => newestPodOf(objects, daemonSet) ?? podOfTemplate(daemonSet));

function newestPodOf(objects: Objects, { metadata, spec }: DaemonSet): Pod | undefined {
  const newest = objects.pods
    .by('owner', metadata.uid ?? '')
    .filter(isActivePod)
    .toSorted(newestFirst)[0];
  const template = spec.template.spec.affinity;
  // The DaemonSet controller pins a live pod to its node by matchFields; its template says where pods may run.
  return newest === undefined
    ? undefined
    : { ...newest, spec: { ...unpinned(newest), ...(template === undefined ? {} : { affinity: template }) } };
}

function unpinned({ spec }: Pod): Pod['spec'] {
  const { affinity: _, nodeName: __, ...rest } = spec;
  return rest;
}

const podOfTemplate = ({ metadata, spec: { template } }: DaemonSet): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...template.metadata, name: metadata.name, namespace: metadata.namespace ?? 'default' },
  spec: template.spec,
});

function newestFirst(a: Pod, b: Pod): number {
  const [one, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (one !== other) return one < other ? 1 : -1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
