import {
  apiVersionOf,
  deployments,
  ec2NodeClasses,
  nodePools,
  nodeRolloutPolicies,
  podDisruptionBudgets,
  pods,
  replicaSets,
  statefulSets,
  type Deployment,
  type EC2NodeClass,
  type KubernetesObject,
  type NodePool,
  type NodeRolloutPolicy,
  type Pod,
  type PodDisruptionBudget,
  type ReplicaSet,
  type ResourceType,
  type StatefulSet,
} from '@nodewright/apis';

/** Pods that manifests ask for, by what makes them. */
export type Workload = {
  readonly object: KubernetesObject;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** `undefined` where an autoscaler decides. */
  readonly replicas: number | undefined;
};

/** The manifests by kind. */
export type ManifestSet = {
  readonly objects: readonly KubernetesObject[];
  readonly nodePools: readonly NodePool[];
  readonly nodeClasses: readonly EC2NodeClass[];
  readonly podBudgets: readonly PodDisruptionBudget[];
  readonly policies: readonly NodeRolloutPolicy[];
  readonly workloads: readonly Workload[];
};

export function sortManifests(objects: readonly KubernetesObject[]): ManifestSet {
  const ofType = <T extends KubernetesObject>(type: ResourceType): readonly T[] =>
    objects.filter(
      ({ kind, apiVersion }) => kind === type.kind && apiVersion === apiVersionOf(type),
    ) as unknown as readonly T[];
  const scaled = new Set(objects.flatMap(scaledWorkload));
  const templated = [
    ...ofType<Deployment>(deployments),
    ...ofType<StatefulSet>(statefulSets),
    ...ofType<ReplicaSet>(replicaSets),
  ].map((each) => templatedWorkload(each, scaled));
  return {
    objects,
    nodePools: ofType<NodePool>(nodePools),
    nodeClasses: ofType<EC2NodeClass>(ec2NodeClasses),
    podBudgets: ofType<PodDisruptionBudget>(podDisruptionBudgets),
    policies: ofType<NodeRolloutPolicy>(nodeRolloutPolicies),
    workloads: [...templated, ...ofType<Pod>(pods).map(singlePod)],
  };
}

export const namespaceOfManifest = ({ metadata }: KubernetesObject): string => metadata.namespace ?? 'default';

function templatedWorkload(object: Deployment | StatefulSet | ReplicaSet, scaled: ReadonlySet<string>): Workload {
  const metadata = object.spec.template?.metadata;
  return {
    object,
    namespace: namespaceOfManifest(object),
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    replicas: scaled.has(scaleTarget(namespaceOfManifest(object), object.kind, object.metadata.name))
      ? undefined
      : (object.spec.replicas ?? 1),
  };
}

const singlePod = (pod: Pod): Workload => ({
  object: pod,
  namespace: namespaceOfManifest(pod),
  labels: pod.metadata.labels ?? {},
  annotations: pod.metadata.annotations ?? {},
  replicas: 1,
});

const scaleTarget = (namespace: string, kind = '', name = ''): string => `${kind} ${namespace}/${name}`;

type Autoscaler = KubernetesObject & {
  readonly spec?: { readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string } };
};

/** What a HorizontalPodAutoscaler or a ScaledObject of KEDA scales. KEDA's default kind is Deployment. */
function scaledWorkload(object: Autoscaler): readonly string[] {
  if (object.kind !== 'HorizontalPodAutoscaler' && object.kind !== 'ScaledObject') return [];
  const { kind = 'Deployment', name } = object.spec?.scaleTargetRef ?? {};
  return [scaleTarget(namespaceOfManifest(object), kind, name)];
}
