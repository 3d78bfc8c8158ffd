import { readOwn } from '@nodewright/apis';
import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';

/**
 * The texts that `kubectl explain` prints for built-in types, in this project's words. The first text describes the
 * type. Names are those of the schemas without `io.k8s.`.
 */
type TypeWords = readonly [about: string, fields?: Readonly<Record<string, string>>];

export const descriptions: Readonly<Record<string, TypeWords>> = {
  'apimachinery.pkg.apis.meta.v1.ObjectMeta': [
    'What every object carries.',
    {
      annotations: 'Texts for tools and people. Nothing selects by them.',
      creationTimestamp: 'When the API server stored the object first.',
      deletionGracePeriodSeconds: 'How long the object may take to go, once its deletion was asked for.',
      deletionTimestamp: 'Set when deletion was asked for: the latest time at which it should be gone.',
      finalizers: 'Who has something to tidy up first. The object goes when the list is empty.',
      generateName: 'A beginning to which the server adds a few random characters, where there is no name.',
      generation: 'Grows with every change of what is asked for.',
      labels: 'Short texts by which selectors find the object.',
      managedFields: 'Which client owns which fields, for server-side apply.',
      name: 'Unique among the objects of this kind in the namespace. It cannot change.',
      namespace: 'The namespace that the object is in; empty for kinds that belong to the whole cluster.',
      ownerReferences: 'On whose behalf the object exists. It is deleted when none of them is left.',
      resourceVersion: 'Changes with every write. Sent along, it makes a write fail that would overwrite another.',
      uid: 'Unique in space and time, also when a name is used again.',
    },
  ],
  'apimachinery.pkg.apis.meta.v1.LabelSelector': [
    'Which objects are meant, by their labels. All conditions have to hold; an empty selector means every object.',
    {
      matchExpressions: 'Conditions on a label: In, NotIn, Exists, DoesNotExist.',
      matchLabels: 'Labels with exactly these values.',
    },
  ],
  'api.core.v1.Pod': ['Containers that run together on one node.'],
  'api.core.v1.PodTemplateSpec': ['The pods that a controller makes.', { spec: 'What is asked of each pod.' }],
  'api.core.v1.PodSpec': [
    'What is asked of a pod.',
    {
      activeDeadlineSeconds: 'Seconds after its start at which the pod is ended and counts as failed.',
      affinity: 'Which nodes, and the company of which pods, it needs or prefers.',
      automountServiceAccountToken: 'Whether its containers get a token of the ServiceAccount.',
      containers: 'The containers that run. At least one; it cannot be added to later.',
      dnsPolicy: 'Which name servers are asked: ClusterFirst, ClusterFirstWithHostNet, Default or None.',
      ephemeralContainers: 'Containers put into a running pod to look for a fault.',
      hostNetwork: "Whether it uses the node's network as it is.",
      hostname: "The pod's host name, where it is not the pod's name.",
      imagePullSecrets: 'Secrets with which images are fetched.',
      initContainers: 'Containers that run before the others, one after another.',
      nodeName: 'The node that it runs on. The scheduler sets it.',
      nodeSelector: 'Labels that the node has to have.',
      os: 'The operating system that its containers need.',
      overhead: 'What its sandbox takes beside the containers, by the RuntimeClass.',
      preemptionPolicy: 'Whether pods of lesser priority may be removed for it: PreemptLowerPriority or Never.',
      priority: 'How important it is; the greater, the more. Follows from the class.',
      priorityClassName: 'The PriorityClass that gives its priority.',
      readinessGates: 'Conditions beside those of the containers that have to be true for it to be ready.',
      resourceClaims: 'Claims for devices that its containers use.',
      resources: 'What all its containers together need and may take.',
      restartPolicy: 'When containers are started again: Always, OnFailure or Never.',
      runtimeClassName: 'The RuntimeClass that runs its containers.',
      schedulerName: 'Which scheduler finds it a node.',
      schedulingGates: 'As long as there is one, no node is looked for.',
      securityContext: 'Users, groups and rights of all its containers.',
      serviceAccountName: 'The ServiceAccount in whose name it speaks to the API server.',
      terminationGracePeriodSeconds: 'How long its processes have between the request to stop and the end by force.',
      tolerations: 'Taints of nodes that do not keep it away.',
      topologySpreadConstraints: 'How evenly pods like it are spread over zones, nodes or other groups of nodes.',
      volumes: 'Volumes that its containers can mount.',
    },
  ],
  'api.core.v1.PodStatus': [
    'How a pod is, as last reported.',
    {
      conditions: 'PodScheduled, Initialized, ContainersReady, Ready and others, and since when.',
      containerStatuses: 'How each container is.',
      hostIP: 'The address of its node.',
      message: 'Why it is in this phase.',
      nominatedNodeName: 'The node on which pods of lesser priority make room for it.',
      phase: 'Pending, Running, Succeeded, Failed or Unknown.',
      podIP: 'Its own address.',
      qosClass: 'Guaranteed, Burstable or BestEffort: who goes first when a node runs short.',
      reason: 'The same in one word, such as Evicted.',
      startTime: 'When the kubelet took it up.',
    },
  ],
  'api.core.v1.Container': [
    'One container of a pod.',
    {
      args: "What the entry point is called with; the image's own arguments where nothing is given.",
      command: "The entry point; the image's own where nothing is given.",
      env: 'Environment variables.',
      envFrom: 'ConfigMaps and Secrets whose entries become environment variables.',
      image: 'The image, with its tag or digest.',
      imagePullPolicy: 'When the image is fetched: Always, IfNotPresent or Never.',
      lifecycle: 'What is called after the start and before the end.',
      livenessProbe: 'A check whose failure restarts the container.',
      name: 'Unique in the pod.',
      ports: 'Ports that it listens on.',
      readinessProbe: 'A check whose failure takes the pod out of its Services.',
      resources: 'What it needs and may take.',
      restartPolicy: 'Always makes an init container one that runs beside the others.',
      securityContext: 'Users and rights, before those of the pod.',
      startupProbe: 'A check that holds back the others until it has succeeded once.',
      volumeMounts: 'Where volumes of the pod appear in its file system.',
      workingDir: 'The directory in which it starts.',
    },
  ],
  'api.core.v1.ResourceRequirements': [
    'What is needed and what may be taken, by resource: cpu, memory, ephemeral-storage, and others that nodes offer.',
    {
      claims: 'Claims of the pod that are used.',
      limits: 'The most that may be taken.',
      requests: 'What is set aside on a node. Where it is left out it is the limit.',
    },
  ],
  'api.core.v1.Toleration': [
    'A taint that does not keep the pod away.',
    {
      effect: 'NoSchedule, PreferNoSchedule, NoExecute; any where it is left out.',
      key: 'The key of the taint; any with the operator Exists where it is left out.',
      operator: 'Equal or Exists.',
      tolerationSeconds: 'For NoExecute: how long the pod may stay.',
      value: 'The value that the taint has, for Equal.',
    },
  ],
  'api.core.v1.TopologySpreadConstraint': [
    'How evenly pods are spread over groups of nodes.',
    {
      labelSelector: 'Which pods are counted.',
      matchLabelKeys: "Labels of which pods count that have this pod's value, such as pod-template-hash.",
      maxSkew: 'By how many pods groups may differ.',
      minDomains: 'With fewer groups than this, the least count is taken as zero.',
      nodeAffinityPolicy: 'Whether only nodes count that the pod may go to: Honor or Ignore.',
      nodeTaintsPolicy: 'Whether nodes are left out whose taints it does not tolerate: Honor or Ignore.',
      topologyKey: 'The label of nodes whose values are the groups, such as topology.kubernetes.io/zone.',
      whenUnsatisfiable: 'DoNotSchedule: a rule. ScheduleAnyway: a preference.',
    },
  ],
  'api.core.v1.Affinity': [
    'Where a pod has to go, or would rather go.',
    {
      nodeAffinity: 'By labels of nodes.',
      podAffinity: 'Near which pods.',
      podAntiAffinity: 'Away from which pods.',
    },
  ],
  'api.core.v1.Node': ['A machine that runs pods.'],
  'api.core.v1.NodeSpec': [
    'What is asked of a node.',
    {
      podCIDR: 'The addresses of its pods.',
      providerID: 'What the cloud calls the machine, such as aws:///us-east-1a/i-0123456789abcdef0.',
      taints: 'What keeps pods away that do not tolerate it.',
      unschedulable: 'Whether new pods are kept away, as kubectl cordon does.',
    },
  ],
  'api.core.v1.NodeStatus': [
    'How a node is, as last reported.',
    {
      addresses: 'Its addresses and names.',
      allocatable: 'What pods can have of it.',
      capacity: 'What it has.',
      conditions: 'Ready, MemoryPressure, DiskPressure, PIDPressure and others.',
      images: 'Container images that it holds.',
      nodeInfo: 'Versions of its kernel, operating system image, container runtime and kubelet.',
      volumesAttached: 'Volumes that are attached to it.',
      volumesInUse: 'Volumes that its pods have mounted.',
    },
  ],
  'api.core.v1.Taint': [
    'What keeps pods away from a node that do not tolerate it.',
    {
      effect:
        'NoSchedule: new ones. PreferNoSchedule: new ones, where there is another place. NoExecute: running ones too.',
      key: 'What it is about.',
      timeAdded: 'Since when, for NoExecute.',
      value: 'More about it.',
    },
  ],
  'api.core.v1.Namespace': ['A scope for names.'],
  'api.core.v1.ConfigMap': [
    'Settings that pods read.',
    { binaryData: 'Bytes, by name.', data: 'Texts, by name.', immutable: 'Whether it can never be changed again.' },
  ],
  'api.core.v1.Secret': [
    'Settings that not everybody may read.',
    {
      data: 'Values by name, in Base64.',
      stringData: 'The same as plain text; for writing only.',
      type: 'What it is for.',
    },
  ],
  'api.core.v1.Service': ['One name and address for all pods that a selector means.'],
  'api.core.v1.ServiceAccount': ['In whose name pods speak to the API server.'],
  'api.core.v1.Event': ['Something that happened to an object. It is forgotten after an hour.'],
  'api.core.v1.PersistentVolume': ['Storage that exists.'],
  'api.core.v1.PersistentVolumeClaim': ['A request for storage.'],
  'api.apps.v1.Deployment': [
    'Keeps a number of equal pods running, and replaces them step by step when their template changes.',
  ],
  'api.apps.v1.DeploymentSpec': [
    'What is asked of a Deployment.',
    {
      minReadySeconds: 'How long a new pod has to be ready to count as available.',
      paused: 'Whether changes of the template wait.',
      progressDeadlineSeconds: 'After how long without progress the rollout is reported as failed.',
      replicas: 'How many pods.',
      revisionHistoryLimit: 'How many earlier ReplicaSets are kept to go back to.',
      selector: 'Which pods are its own. The labels of the template have to fit, and it cannot change.',
      strategy: 'How old pods are replaced.',
      template: 'What the pods are like.',
    },
  ],
  'api.apps.v1.DeploymentStrategy': [
    'How old pods are replaced by new ones.',
    {
      rollingUpdate: 'The pace of RollingUpdate.',
      type: 'RollingUpdate: step by step. Recreate: all old ones go first.',
    },
  ],
  'api.apps.v1.RollingUpdateDeployment': [
    'The pace of a rolling update, in pods or as a percentage.',
    {
      maxSurge: 'How many pods there may be beyond those asked for; rounded up.',
      maxUnavailable: 'How many may be missing; rounded down.',
    },
  ],
  'api.apps.v1.ReplicaSet': ['Keeps a number of equal pods running. Deployments make them.'],
  'api.apps.v1.DaemonSet': ['Keeps one pod running on each node that suits.'],
  'api.apps.v1.StatefulSet': ['Keeps pods running that have names and volumes of their own.'],
  'api.batch.v1.Job': ['Runs pods until enough of them have succeeded.'],
  'api.batch.v1.CronJob': ['Makes a Job at set times.'],
  'api.policy.v1.PodDisruptionBudget': ['How many pods of an application may be missing because of evictions.'],
  'api.policy.v1.PodDisruptionBudgetSpec': [
    'What is allowed. Either of the two numbers, not both.',
    {
      maxUnavailable: 'How many, or what percentage, may be missing; 0 allows no eviction.',
      minAvailable: 'How many, or what percentage, have to stay.',
      selector: 'Which pods it protects.',
      unhealthyPodEvictionPolicy: 'Whether pods that are not ready may go in any case: IfHealthyBudget or AlwaysAllow.',
    },
  ],
  'api.policy.v1.PodDisruptionBudgetStatus': [
    'How things stand.',
    {
      currentHealthy: 'How many are ready.',
      desiredHealthy: 'How many have to be.',
      disruptionsAllowed: 'How many may be evicted now.',
      expectedPods: 'How many there should be.',
    },
  ],
  'api.coordination.v1.Lease': ['Who holds something, and until when: leaders and nodes that are alive.'],
  'api.storage.v1.StorageClass': ['A kind of storage, and who makes it.'],
  'api.scheduling.v1.PriorityClass': ['How important pods are that name it.'],
};

/** Members that objects of every kind have. */
const ofEveryObject: Readonly<Record<string, string>> = {
  apiVersion: 'The version of the schema that this object is written in.',
  kind: 'What this object is.',
  metadata: 'What every object carries: its name, labels, owners.',
  spec: 'What is asked for.',
  status: 'How things are, as last reported.',
};

/** Adds the known descriptions to the schema of a built-in type. */
export function describeSchema(name: string, schema: JsonObject): JsonObject {
  const [about, fields = {}] = readOwn(descriptions, name.replace(/^io\.k8s\./, '')) ?? [];
  const words = 'x-kubernetes-group-version-kind' in schema ? { ...ofEveryObject, ...fields } : fields;
  const properties = isObject(schema['properties']) ? schema['properties'] : undefined;
  return {
    ...(about !== undefined && { description: about }),
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, value]) => [field, withWords(value, readOwn(words, field))]),
      ),
    }),
  };
}

const withWords = (schema: JsonValue, description: string | undefined): JsonValue =>
  description === undefined || !isObject(schema) ? schema : { description, ...schema };
