import type { Condition, KubernetesObject, LabelSelector, ObjectMeta } from './meta.ts';

/** Resource name to quantity text, as written in manifests: `{ cpu: '100m', memory: '1Gi' }`. */
export type ResourceList = Readonly<Record<string, string | number>>;

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export type Taint = {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
  readonly timeAdded?: string;
};

export type Toleration = {
  readonly key?: string;
  readonly operator?: 'Equal' | 'Exists' | 'Lt' | 'Gt';
  readonly value?: string;
  readonly effect?: TaintEffect;
  readonly tolerationSeconds?: number;
};

export type NodeSelectorRequirement = {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte';
  readonly values?: readonly string[];
};

export type NodeSelectorTerm = {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
};

export type PodAffinityTerm = {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
};

type PodAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
};

export type Affinity = {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
    };
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight: number;
      readonly preference: NodeSelectorTerm;
    }[];
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
};

export type TopologySpreadConstraint = {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly matchLabelKeys?: readonly string[];
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
};

export type ContainerPort = {
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
  readonly name?: string;
};

export type Container = {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly ports?: readonly ContainerPort[];
  readonly volumeMounts?: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly restartPolicy?: string;
  readonly resources?: {
    readonly requests?: ResourceList;
    readonly limits?: ResourceList;
    readonly claims?: readonly { readonly name: string }[];
  };
  readonly resizePolicy?: readonly { readonly resourceName: string; readonly restartPolicy: string }[];
};

export type PodSpec = {
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly overhead?: ResourceList;
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly preemptionPolicy?: string;
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly volumes?: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly [source: string]: unknown;
  }[];
};

export type ContainerState = {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
};

export type ContainerStatus = {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly containerID?: string;
  readonly state?: ContainerState;
  /** How it ended the last time. */
  readonly lastState?: ContainerState;
  /** What the container holds, while it runs and may be resized in place. */
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly allocatedResources?: ResourceList;
};

/** A claim of devices: an own one by its name, or one that is made for the pod from a template. */
export type PodResourceClaim = {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type PodStatus = {
  /** Which claims were made for the pod; without a name, none was needed. */
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly Condition[];
  readonly nominatedNodeName?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: string;
  readonly qosClass?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  /** How a resize in place stands, in versions before conditions told it: `Infeasible` and others. */
  readonly resize?: string;
};

export type Pod = KubernetesObject & { readonly spec: PodSpec; readonly status?: PodStatus };

export type NodeAddress = { readonly type: string; readonly address: string };

export type Node = KubernetesObject & {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly podCIDR?: string;
  };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly (Condition & { readonly lastHeartbeatTime?: string })[];
    readonly addresses?: readonly NodeAddress[];
    readonly nodeInfo?: Readonly<Record<string, string>>;
    readonly images?: readonly unknown[];
  };
};

export type Namespace = KubernetesObject & {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string };
};

export type ConfigMap = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };

/** Values are in base64. */
export type Secret = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };

export type Service = KubernetesObject & {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>>; readonly [field: string]: unknown };
};

/** Some of the addresses behind a Service. */
export type EndpointSlice = KubernetesObject & {
  readonly endpoints?: readonly {
    readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
    readonly nodeName?: string;
    readonly targetRef?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
  }[];
};

export type PodTemplateSpec = { readonly metadata?: Partial<ObjectMeta>; readonly spec: PodSpec };

/** A pod to be made by others; nothing runs because of it. */
export type PodTemplate = KubernetesObject & { readonly template: PodTemplateSpec };

/** A core/v1 Event, the form `kubectl get events` shows. */
export type Event = KubernetesObject & {
  readonly involvedObject: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
};
