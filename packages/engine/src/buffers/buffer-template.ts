import type { CapacityBuffer, KubernetesObject, PodTemplate, PodTemplateSpec } from '@nodewright/apis';
import type { BufferUnit } from './buffer-size.ts';
import { unitRequests } from './virtual-pods.ts';

/** What a unit of a buffer is like, or why it is not known. */
export type BufferTemplate =
  | {
      readonly kind: 'found';
      readonly template: PodTemplateSpec;
      /** The PodTemplate that it is from, if it is from one. */
      readonly podTemplate?: PodTemplate;
      /** How many replicas the workload wants that it is from. */
      readonly workloadReplicas?: number;
    }
  | {
      readonly kind: 'missing';
      readonly reason: 'PodTemplateNotFound' | 'ScalableRefNotFound' | 'ResolutionFailed';
      readonly message: string;
    };

/** Looks for an object that a buffer refers to; its kind is one of these. */
export type FindReferred = (
  kind: (typeof workloadKinds)[number] | 'PodTemplate',
  key: { readonly name: string; readonly namespace: string },
) => KubernetesObject | undefined;

const workloadKinds = ['Deployment', 'StatefulSet', 'ReplicaSet'] as const;

export function bufferTemplate({ metadata, spec }: CapacityBuffer, find: FindReferred): BufferTemplate {
  const { podTemplateRef, scalableRef } = spec;
  const { namespace = 'default' } = metadata;
  if (podTemplateRef !== undefined) return templateOfPodTemplate({ name: podTemplateRef.name, namespace }, find);
  return scalableRef === undefined
    ? missingReference('ResolutionFailed', 'it has neither podTemplateRef nor scalableRef')
    : templateOfWorkload(scalableRef, namespace, find);
}

/** What `bufferSize` needs to know. */
export const bufferUnit = ({ template, workloadReplicas }: Extract<BufferTemplate, { kind: 'found' }>): BufferUnit => ({
  requests: unitRequests(template),
  ...(workloadReplicas === undefined ? {} : { workloadReplicas }),
});

function templateOfPodTemplate(key: Parameters<FindReferred>[1], find: FindReferred): BufferTemplate {
  const podTemplate = find('PodTemplate', key) as PodTemplate | undefined;
  return podTemplate === undefined
    ? missingReference('PodTemplateNotFound', `there is no PodTemplate ${key.namespace}/${key.name}`)
    : { kind: 'found', template: podTemplate.template, podTemplate };
}

type ReferredWorkload = KubernetesObject & {
  readonly spec: { readonly replicas?: number; readonly template?: PodTemplateSpec };
};

function templateOfWorkload(
  { apiGroup = '', kind: asked, name }: NonNullable<CapacityBuffer['spec']['scalableRef']>,
  namespace: string,
  find: FindReferred,
): BufferTemplate {
  const kind = apiGroup === 'apps' ? workloadKinds.find((each) => each === asked) : undefined;
  if (kind === undefined) {
    const full = apiGroup === '' ? asked : `${asked}.${apiGroup}`;
    return missingReference(
      'ResolutionFailed',
      `scalableRef may be a ${workloadKinds.join(', ')} of apps, not ${full}`,
    );
  }
  const workload = find(kind, { name, namespace }) as ReferredWorkload | undefined;
  if (workload === undefined)
    return missingReference('ScalableRefNotFound', `there is no ${kind} ${namespace}/${name}`);
  const { template, replicas = 1 } = workload.spec;
  if (template === undefined)
    return missingReference('ResolutionFailed', `${kind} ${namespace}/${name} has no pod template`);
  return { kind: 'found', template, workloadReplicas: replicas };
}

const missingReference = (
  reason: Extract<BufferTemplate, { kind: 'missing' }>['reason'],
  message: string,
): BufferTemplate => ({
  kind: 'missing',
  reason,
  message,
});
