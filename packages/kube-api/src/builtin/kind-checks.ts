import { admissionBindingCauses } from './validation/admission-bindings.ts';
import {
  admissionPolicyCauses,
  policyStatusCauses,
  webhookConfigurationCauses,
} from './validation/admission-configurations.ts';
import type { Cause } from '../schema/cause.ts';
import type { JsonObject } from '../schema/json.ts';
import {
  addressCauses,
  apiServiceCauses,
  apiServiceStatusCauses,
  revisionCauses,
  serviceRangeCauses,
} from './validation/address-kinds.ts';
import { autoscalerCauses, autoscalerStatusCauses } from './validation/autoscaler.ts';
import {
  priorityClassCauses,
  runtimeClassCauses,
  storageClassCauses,
  storageDriverCauses,
} from './validation/classes.ts';
import { definitionCauses, definitionStatusCauses } from './validation/custom-resource-definition.ts';
import { configMapCauses, secretCauses } from './validation/data.ts';
import { claimTemplateCauses, deviceClassCauses, resourceClaimCauses } from './validation/devices.ts';
import { claimedStatusCauses } from './validation/claimed-status.ts';
import { resourceSliceCauses } from './validation/device-slices.ts';
import { endpointsCauses, endpointSliceCauses } from './validation/endpoint-slice.ts';
import { podImageCauses } from './validation/containers.ts';
import { ephemeralContainerCauses } from './validation/ephemeral-containers.ts';
import { eventCauses, newEventCauses } from './validation/event.ts';
import { flowSchemaCauses, flowStatusCauses, priorityLevelCauses } from './validation/flow-control.ts';
import { balancerOfServiceCauses, ingressCauses, loadBalancerCauses } from './validation/ingress.ts';
import { ingressClassCauses } from './validation/ingress-class.ts';
import { cronJobCauses, jobCauses } from './validation/job.ts';
import { jobStatusCauses } from './validation/job-status.ts';
import { leaseCauses } from './validation/lease.ts';
import { limitRangeCauses } from './validation/limit-range.ts';
import { networkPolicyCauses } from './validation/network-policy.ts';
import { nodeCauses } from './validation/node.ts';
import { claimCauses, claimStatusCauses } from './validation/persistent-volume-claim.ts';
import { volumeCauses } from './validation/persistent-volume.ts';
import { podTemplateCauses } from './validation/pod-template.ts';
import { podUpdateCauses } from './validation/pod-update.ts';
import { podStatusCauses } from './validation/pod-status.ts';
import { newPodCauses } from './validation/pod.ts';
import { disruptionBudgetCauses, disruptionBudgetStatusCauses } from './validation/policy.ts';
import { resourceQuotaCauses, resourceQuotaStatusCauses } from './validation/quota.ts';
import { bindingCauses, roleCauses } from './validation/rbac.ts';
import { resizeCauses } from './validation/resize.ts';
import { signingRequestCauses } from './validation/signing-request.ts';
import {
  attachmentCauses,
  attachmentStatusCauses,
  storageCapacityCauses,
  storageNodeCauses,
  volumeClassCauses,
} from './validation/storage-kinds.ts';
import { serviceCauses } from './validation/service.ts';
import { namespaceSpecCauses, namespaceStatusCauses, workloadStatusCauses } from './validation/statuses.ts';
import {
  daemonSetCauses,
  deploymentCauses,
  replicaSetCauses,
  replicationControllerCauses,
  statefulSetCauses,
  type ValidatedWorkload,
} from './validation/workloads.ts';

export type KindCheck = (object: JsonObject, old: JsonObject | undefined) => Cause[];

const workload =
  (check: (workload: ValidatedWorkload) => Cause[]): KindCheck =>
  (object, old) =>
    check({ object, ...(old && { old }) });

/** Only changes of an object are checked. */
const ofChange =
  (check: (object: JsonObject, old: JsonObject) => Cause[]): KindCheck =>
  (object, old) =>
    old === undefined ? [] : check(object, old);

const roleGroup = 'rbac.authorization.k8s.io';
const inNamespace = { isNamespaced: true };
const inCluster = { isNamespaced: false };

/** The rules of each built-in kind. */
export const kindChecks: Readonly<Record<string, KindCheck>> = {
  '/Pod': (object, old) => (old === undefined ? newPodCauses(object) : podUpdateCauses(object, old)),
  '/PodTemplate': (object) => podTemplateCauses(object['template'], 'template'),
  '/Namespace': (object) => namespaceSpecCauses(object),
  '/Node': nodeCauses,
  '/Service': serviceCauses,
  '/Endpoints': (object) => endpointsCauses(object),
  '/ConfigMap': configMapCauses,
  '/Secret': secretCauses,
  '/Event': (object) => eventCauses(object),
  '/ReplicationController': workload(replicationControllerCauses),
  '/PersistentVolume': volumeCauses,
  '/PersistentVolumeClaim': claimCauses,
  '/ResourceQuota': resourceQuotaCauses,
  '/LimitRange': (object) => limitRangeCauses(object),
  'events.k8s.io/Event': newEventCauses,
  'apps/Deployment': workload(deploymentCauses),
  'apps/ReplicaSet': workload(replicaSetCauses),
  'apps/StatefulSet': workload(statefulSetCauses),
  'apps/DaemonSet': workload(daemonSetCauses),
  'autoscaling/HorizontalPodAutoscaler': (object) => autoscalerCauses(object),
  'batch/Job': workload(jobCauses),
  'batch/CronJob': cronJobCauses,
  'discovery.k8s.io/EndpointSlice': endpointSliceCauses,
  'networking.k8s.io/Ingress': ingressCauses,
  'networking.k8s.io/IngressClass': ingressClassCauses,
  'networking.k8s.io/NetworkPolicy': networkPolicyCauses,
  'policy/PodDisruptionBudget': (object) => disruptionBudgetCauses(object),
  'apiextensions.k8s.io/CustomResourceDefinition': definitionCauses,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': (object) => webhookConfigurationCauses(object),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': (object) => webhookConfigurationCauses(object),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': (object) => admissionPolicyCauses(object),
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': (object) => admissionPolicyCauses(object),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': (object) => admissionBindingCauses(object),
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': (object) => admissionBindingCauses(object),
  'coordination.k8s.io/Lease': (object) => leaseCauses(object),
  'node.k8s.io/RuntimeClass': runtimeClassCauses,
  'scheduling.k8s.io/PriorityClass': priorityClassCauses,
  'storage.k8s.io/StorageClass': storageClassCauses,
  'storage.k8s.io/CSIDriver': storageDriverCauses,
  'storage.k8s.io/CSINode': storageNodeCauses,
  'storage.k8s.io/CSIStorageCapacity': storageCapacityCauses,
  'storage.k8s.io/VolumeAttachment': attachmentCauses,
  'storage.k8s.io/VolumeAttributesClass': volumeClassCauses,
  'apiregistration.k8s.io/APIService': (object) => apiServiceCauses(object),
  'apps/ControllerRevision': revisionCauses,
  'certificates.k8s.io/CertificateSigningRequest': signingRequestCauses,
  'flowcontrol.apiserver.k8s.io/FlowSchema': (object) => flowSchemaCauses(object),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': (object) => priorityLevelCauses(object),
  'networking.k8s.io/IPAddress': addressCauses,
  'networking.k8s.io/ServiceCIDR': serviceRangeCauses,
  'resource.k8s.io/DeviceClass': (object) => deviceClassCauses(object),
  'resource.k8s.io/ResourceClaim': resourceClaimCauses,
  'resource.k8s.io/ResourceClaimTemplate': claimTemplateCauses,
  'resource.k8s.io/ResourceSlice': resourceSliceCauses,
  [`${roleGroup}/Role`]: (object) => roleCauses(object, inNamespace),
  [`${roleGroup}/ClusterRole`]: (object) => roleCauses(object, inCluster),
  [`${roleGroup}/RoleBinding`]: (object, old) => bindingCauses(object, old, inNamespace),
  [`${roleGroup}/ClusterRoleBinding`]: (object, old) => bindingCauses(object, old, inCluster),
};

/** The rules of writes to a subresource, where they differ from the rules of the kind. */
export const subresourceChecks: Readonly<Record<string, KindCheck>> = {
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy/status': (object) => policyStatusCauses(object),
  '/Pod/status': podStatusCauses,
  '/Pod/ephemeralcontainers': ofChange((object, old) => [
    ...ephemeralContainerCauses(object, old),
    ...podImageCauses(object['spec'], 'spec'),
  ]),
  '/Pod/resize': ofChange(resizeCauses),
  '/Node/status': nodeCauses,
  '/Namespace/status': (object) => namespaceStatusCauses(object),
  '/Namespace/finalize': () => [],
  '/Service/status': balancerOfServiceCauses,
  '/PersistentVolumeClaim/status': (object) => claimStatusCauses(object),
  '/ResourceQuota/status': (object) => resourceQuotaStatusCauses(object),
  'apiextensions.k8s.io/CustomResourceDefinition/status': (object) => definitionStatusCauses(object),
  'apiregistration.k8s.io/APIService/status': (object) => apiServiceStatusCauses(object),
  'flowcontrol.apiserver.k8s.io/FlowSchema/status': (object) => flowStatusCauses(object),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration/status': (object) => flowStatusCauses(object),
  'networking.k8s.io/ServiceCIDR/status': () => [],
  'storage.k8s.io/VolumeAttachment/status': (object) => attachmentStatusCauses(object),
  'resource.k8s.io/ResourceClaim/status': claimedStatusCauses,
  '/ReplicationController/status': workloadStatusCauses('replicationController'),
  'apps/Deployment/status': workloadStatusCauses('deployment'),
  'apps/ReplicaSet/status': workloadStatusCauses('replicaSet'),
  'apps/StatefulSet/status': workloadStatusCauses('statefulSet'),
  'apps/DaemonSet/status': workloadStatusCauses('daemonSet'),
  'autoscaling/HorizontalPodAutoscaler/status': (object) => autoscalerStatusCauses(object),
  'batch/Job/status': jobStatusCauses,
  'networking.k8s.io/Ingress/status': (object) => loadBalancerCauses(object),
  'policy/PodDisruptionBudget/status': (object) => disruptionBudgetStatusCauses(object),
};
