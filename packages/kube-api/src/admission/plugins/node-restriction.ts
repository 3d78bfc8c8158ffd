import { readOwn } from '@nodewright/apis';
import { forbiddenError } from '../../http/status-error.ts';
import { nodeOfUser } from '../../auth/node-user.ts';
import { isEqualJson, type JsonValue } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import { disallowedNodeLabels } from './node-labels.ts';
import { mirrorPodAnnotation } from './service-account.ts';

/** Refuses what a node may not write: other nodes, pods of other nodes, leases of other nodes, protected labels. */
export function restrictNode(attributes: AdmissionAttributes, view: AdmissionView): void {
  const node = nodeOfUser(attributes.user);
  if (node === undefined) return;
  const problem = nodeProblem(node, attributes, view);
  if (problem === undefined) return;
  throw forbiddenError(attributes.resource, attributes.name, problem);
}

function nodeProblem(node: string, attributes: AdmissionAttributes, view: AdmissionView): string | undefined {
  const { resource, subresource } = attributes;
  switch (subresource === '' ? resource.collection : `${resource.collection}/${subresource}`) {
    case 'pods':
      return podProblem(node, attributes);
    case 'pods/status':
      return podStatusProblem(node, attributes);
    case 'pods/eviction':
      return ofOtherNode(node, attributes.target)
        ? `node ${JSON.stringify(node)} can only evict pods with spec.nodeName set to itself`
        : undefined;
    case 'nodes':
    case 'nodes/status':
      return nodeObjectProblem(node, attributes);
    case 'serviceaccounts/token':
      return tokenProblem(node, attributes, view);
    case 'leases.coordination.k8s.io':
      return leaseProblem(node, attributes);
    case 'csinodes.storage.k8s.io':
      return attributes.name === node ? undefined : 'can only access CSINode with the same name as the requesting node';
    case 'resourceslices.resource.k8s.io':
      return sliceProblem(node, attributes);
    default:
      return undefined;
  }
}

type BoundPod = {
  readonly spec?: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  };
};

const nodeOfPod = (pod: ApiObject | undefined): string => (pod as BoundPod | undefined)?.spec?.nodeName ?? '';

const ofOtherNode = (node: string, pod: ApiObject | undefined): boolean => pod !== undefined && nodeOfPod(pod) !== node;

function podProblem(node: string, { operation, object, old }: AdmissionAttributes): string | undefined {
  const shown = JSON.stringify(node);
  if (operation === 'DELETE') {
    return ofOtherNode(node, old) ? `node ${shown} can only delete pods with spec.nodeName set to itself` : undefined;
  }
  if (operation !== 'CREATE') return `unexpected operation "${operation}"`;
  if (object?.metadata.annotations?.[mirrorPodAnnotation] === undefined) {
    return `pod does not have ${JSON.stringify(mirrorPodAnnotation)} annotation, node ${shown} can only create mirror pods`;
  }
  if (nodeOfPod(object) !== node) return `node ${shown} can only create pods with spec.nodeName set to itself`;
  const { serviceAccountName = '', volumes = [] } = (object as BoundPod).spec ?? {};
  if (serviceAccountName !== '') return `node ${shown} can not create pods that reference a service account`;
  const sources: readonly (readonly [string, string])[] = [
    ['secret', 'secrets'],
    ['configMap', 'configmaps'],
    ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ];
  const found = sources.find(([member]) => volumes.some((volume) => readOwn(volume, member) !== undefined));
  return found && `node ${shown} can not create pods that reference ${found[1]}`;
}

function podStatusProblem(node: string, { object, old }: AdmissionAttributes): string | undefined {
  const shown = JSON.stringify(node);
  if (ofOtherNode(node, old))
    return `node ${shown} can only update pod status for pods with spec.nodeName set to itself`;
  const [before, after] = [old?.metadata.labels ?? {}, object?.metadata.labels ?? {}];
  return isEqualJson(before, after) ? undefined : `node ${shown} cannot update labels through pod status`;
}

function nodeObjectProblem(node: string, attributes: AdmissionAttributes): string | undefined {
  const { name, operation, object, old } = attributes;
  const shown = JSON.stringify(node);
  if (name !== node) return `node ${shown} is not allowed to modify node ${JSON.stringify(name)}`;
  if (operation === 'DELETE' || object === undefined) return undefined;
  const labels = disallowedNodeLabels(object.metadata.labels, old?.metadata.labels);
  if (old === undefined) {
    return labels.length === 0
      ? undefined
      : `node ${shown} is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  if (!isEqualJson(taintsOf(object), taintsOf(old))) return `node ${shown} is not allowed to modify taints`;
  return labels.length === 0 ? undefined : `is not allowed to modify labels: ${labels.join(', ')}`;
}

const taintsOf = (node: ApiObject): JsonValue =>
  (node['spec'] as { readonly taints?: JsonValue } | undefined)?.taints ?? [];

type TokenSpec = {
  readonly boundObjectRef?: { readonly kind?: string; readonly name?: string; readonly uid?: string };
};

function tokenProblem(
  node: string,
  { object, namespace }: AdmissionAttributes,
  { store }: AdmissionView,
): string | undefined {
  const bound = (object?.['spec'] as TokenSpec | undefined)?.boundObjectRef;
  if (bound?.kind !== 'Pod' || bound.name === undefined) return 'node requested token not bound to a pod';
  if ((bound.uid ?? '') === '') return 'node requested token with a pod binding without a uid';
  const pod = store.collection('pods').get({ namespace, name: bound.name });
  if (pod === undefined) return `pod ${JSON.stringify(bound.name)} not found`;
  if (pod.metadata.uid !== bound.uid) {
    return `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  return nodeOfPod(pod) === node ? undefined : 'node requested token bound to a pod scheduled on a different node';
}

function leaseProblem(node: string, { namespace, name }: AdmissionAttributes): string | undefined {
  if (namespace !== 'kube-node-lease') return 'can only access leases in the "kube-node-lease" system namespace';
  return name === node ? undefined : 'can only access node lease with the same name as the requesting node';
}

function sliceProblem(node: string, { object, old, operation }: AdmissionAttributes): string | undefined {
  const slice = (operation === 'DELETE' ? old : object) as
    | { readonly spec?: { readonly nodeName?: string } }
    | undefined;
  if (slice?.spec?.nodeName === node) return undefined;
  const verb = operation === 'DELETE' ? 'delete' : 'create';
  return `can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
}
