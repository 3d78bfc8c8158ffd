import type { KubernetesObject, Pod, PodTemplateSpec } from '@nodewright/apis';

/** Kinds that stand for pods, and the field that says for how many. */
const counts: Readonly<Record<string, 'replicas' | 'parallelism'>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  StatefulSet: 'replicas',
  ReplicationController: 'replicas',
  Job: 'parallelism',
};

type Workload = KubernetesObject & {
  readonly spec?: { readonly replicas?: number; readonly parallelism?: number; readonly template?: PodTemplateSpec };
};

export const isWorkload = ({ kind = '' }: KubernetesObject): boolean => kind in counts;

/** The pods that a workload would have, none of them on a node: `web-1` to `web-3`. */
export function podsOfWorkload(workload: KubernetesObject): readonly Pod[] {
  const { kind = '', spec } = workload as Workload;
  const template = spec?.template;
  if (template === undefined) return [];
  const count = spec?.[counts[kind] ?? 'replicas'] ?? 1;
  return Array.from({ length: count }, (_, index) => podOf(workload, template, `-${index + 1}`));
}

/** What a DaemonSet would run on a new node. */
export function podOfDaemonSet(daemonSet: KubernetesObject): readonly Pod[] {
  const template = (daemonSet as Workload).spec?.template;
  return template === undefined ? [] : [podOf(daemonSet, template, '')];
}

function podOf(
  { apiVersion = '', kind = '', metadata }: KubernetesObject,
  template: PodTemplateSpec,
  suffix: string,
): Pod {
  const { name, namespace = 'default', uid = `${kind}/${namespace}/${name}` } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name: `${name}${suffix}`,
      namespace,
      uid: `${uid}${suffix}`,
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
    },
    spec: template.spec,
  };
}
