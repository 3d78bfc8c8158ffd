import {
  type DaemonSet,
  type KubernetesObject,
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  readOwn,
} from '@nodewright/apis';
import { newestDaemonPod } from '@nodewright/engine';

type WorkloadSpec = {
  readonly replicas?: number;
  readonly suspend?: boolean;
  readonly ordinals?: { readonly start?: number };
  readonly parallelism?: number;
  readonly completions?: number;
  readonly template?: PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
  readonly jobTemplate?: { readonly spec?: WorkloadSpec };
};

type SimulatedWorkload = KubernetesObject & { readonly spec?: WorkloadSpec };

const replicas = ({ replicas: count = 1 }: WorkloadSpec): number => count;
/** No more run at once than are to complete, and none of what is suspended. */
const parallel = ({ parallelism = 1, completions = Infinity, suspend = false }: WorkloadSpec): number =>
  suspend ? 0 : Math.min(parallelism, completions);

/** Kinds that stand for pods, and how many they have at once. */
const counts: Readonly<Record<string, (spec: WorkloadSpec) => number>> = {
  Deployment: replicas,
  ReplicaSet: replicas,
  StatefulSet: replicas,
  ReplicationController: replicas,
  Job: parallel,
  CronJob: parallel,
};

export const isWorkload = ({ kind = '' }: KubernetesObject): boolean => Object.hasOwn(counts, kind);

/**
 * The pods that a workload would have, none of them on a node: `web-1` to `web-3`, of a StatefulSet `db-0` to `db-2`, or
 * from the ordinal on that it begins with.
 */
export function podsOfWorkload(workload: KubernetesObject): readonly Pod[] {
  const { kind = '', spec } = workload as SimulatedWorkload;
  const running = kind === 'CronJob' ? spec?.jobTemplate?.spec : spec;
  const { template } = running ?? {};
  if (running === undefined || template === undefined || (kind === 'CronJob' && spec?.suspend === true)) return [];
  const first = kind === 'StatefulSet' ? (running.ordinals?.start ?? 0) : 1;
  return Array.from({ length: readOwn(counts, kind)?.(running) ?? 0 }, (_, index) => {
    const pod = podOf(workload, template, `-${first + index}`);
    return { ...pod, spec: withClaims(pod, running.volumeClaimTemplates ?? []) };
  });
}

/** A StatefulSet gives every pod a claim of its own for each of its templates, in place of a volume of that name. */
const withClaims = ({ metadata, spec }: Pod, templates: readonly PersistentVolumeClaim[]): Pod['spec'] =>
  templates.length === 0
    ? spec
    : {
        ...spec,
        volumes: [
          ...(spec.volumes ?? []).filter(({ name }) => !templates.some(({ metadata }) => metadata.name === name)),
          ...templates.map((template) => ({
            name: template.metadata.name,
            persistentVolumeClaim: { claimName: `${template.metadata.name}-${metadata.name}` },
          })),
        ],
      };

/** The claims that come with a workload's pods, unbound. */
export function claimsOfWorkload(workload: KubernetesObject): readonly PersistentVolumeClaim[] {
  const { spec } = workload as SimulatedWorkload;
  return podsOfWorkload(workload).flatMap(({ metadata }) =>
    (spec?.volumeClaimTemplates ?? []).map((template) => ({
      ...template,
      metadata: {
        ...template.metadata,
        name: `${template.metadata.name}-${metadata.name}`,
        namespace: metadata.namespace ?? 'default',
      },
    })),
  );
}

/** What a DaemonSet would run on a new node: as its newest pod does, if there is one. */
export function daemonPodsOf(daemonSet: DaemonSet, pods: readonly Pod[]): readonly Pod[] {
  const { uid } = daemonSet.metadata;
  const own = pods.filter(
    ({ metadata }) => uid !== undefined && metadata.ownerReferences?.some((owner) => owner.uid === uid),
  );
  const newest = own.length === 0 ? undefined : newestDaemonPod(daemonSet, own);
  if (newest !== undefined) return [newest];
  const template = (daemonSet as SimulatedWorkload).spec?.template;
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
