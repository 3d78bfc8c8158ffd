import type { KubernetesObject, Pod } from '@nodewright/apis';

const kubectlAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object without the books that an API server and kubectl keep about its fields. */
export function withoutBookkeeping<T extends KubernetesObject>(object: T): T {
  const {
    managedFields: _,
    annotations,
    ...metadata
  } = object.metadata as T['metadata'] & {
    readonly managedFields?: unknown;
  };
  if (annotations === undefined) return { ...object, metadata };
  const { [kubectlAnnotation]: _applied, ...kept } = annotations;
  return { ...object, metadata: Object.keys(kept).length === 0 ? metadata : { ...metadata, annotations: kept } };
}

/** What a pod's containers do is of no interest: how much they ask for is. */
const unreadOfContainers = [
  'args',
  'command',
  'env',
  'envFrom',
  'imagePullPolicy',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'volumeMounts',
];

/** A pod with the fields that scheduling, disruption and its kubelet look at. */
export function projectPod({ spec, ...pod }: Pod): Pod {
  const { containers, initContainers, ...rest } = spec;
  return {
    ...pod,
    spec: {
      ...rest,
      containers: containers.map(projectContainer),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(projectContainer) }),
    },
  };
}

const projectContainer = <T extends object>(container: T): T =>
  Object.fromEntries(Object.entries(container).filter(([field]) => !unreadOfContainers.includes(field))) as T;
