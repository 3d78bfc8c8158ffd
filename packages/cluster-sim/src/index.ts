/**
 * What runs in the embedded cluster: the kubelets of launched instances, the scheduler, the workload
 * controllers and the volumes. All of it reaches the API server through a `KubernetesClient`, so it
 * serves an attached real API server in the same way. It shares no code with `engine`.
 */
export { isTrue } from './objects/conditions.ts';
export type { Recheck, Keys } from './control-plane/control-plane.ts';
export { ClusterControlPlane } from './control-plane/control-plane.ts';
export type { ClusterControllerOptions, Stoppable } from './control-plane/controller-options.ts';
export { unlessRefusedAs, unlessGone } from './control-plane/refusals.ts';
export { ClusterWatches } from './control-plane/watches.ts';
export type { BootingMachine, BootTimes, SeenBootTimes } from './kubelets/boot-times.ts';
export type { Kubelets, KubeletsOptions } from './kubelets/kubelets.ts';
export { createKubelets } from './kubelets/kubelets.ts';
export { readClusterName } from './kubelets/user-data/read.ts';
export { startScheduler } from './scheduler/scheduler.ts';
export { controllerOf } from './objects/ownership.ts';
export { indexByNode, isEndedPod } from './objects/pod-health.ts';
export { startWorkloadControllers } from './workload-controllers.ts';
export { createSystemObjects } from './system-objects/system-objects.ts';
export { installEbsAddOn, uninstallEbsAddOn } from './system-objects/ebs-add-on.ts';
export type { ContainerLogLine } from './containers/container-log.ts';
export { hashOfTemplate } from './objects/template-hash.ts';
export { attachToContainer, containerLog, execInContainer } from './containers/pod-containers.ts';
export { shellEndAnnotation } from './containers/played-command.ts';
export {
  createClusterServices,
  startClusterServices,
  startServiceEndpoints,
  updateAddOns,
} from './system-objects/cluster-services.ts';
export { readKubeletPage } from './metrics/kubelet-pages.ts';
export { printUse, simulatedNodeUse, simulatedPodUse } from './metrics/simulated-use.ts';
