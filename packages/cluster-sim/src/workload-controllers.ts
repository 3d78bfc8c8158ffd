import { ClusterControlPlane } from './control-plane/control-plane.ts';
import type { ClusterControllerOptions, Stoppable } from './control-plane/controller-options.ts';
import { runDeviceClaims } from './devices/device-claims.ts';
import { runAttachments } from './volumes/attachments/attachments.ts';
import { runClaims } from './volumes/claims/claims.ts';
import { runEphemeralClaims } from './volumes/ephemeral-claims.ts';
import { runStorageProtection } from './volumes/storage-protection.ts';
import { runCronJobs } from './workloads/cron-jobs/cron-jobs.ts';
import { runDaemonSets } from './workloads/daemon-sets/daemon-sets.ts';
import { runDeployments } from './workloads/deployments/deployments.ts';
import { runDisruptionBudgets } from './workloads/disruption-budgets/disruption-budgets.ts';
import { runGarbageCollector } from './workloads/garbage/collector.ts';
import { runJobs } from './workloads/jobs/jobs.ts';
import { runNamespaces } from './workloads/namespaces/namespaces.ts';
import { runNodeLifecycle } from './workloads/node-lifecycle/node-lifecycle.ts';
import { runTaintEviction } from './workloads/taint-eviction/taint-eviction.ts';
import { runPodGarbage } from './workloads/pod-garbage/pod-garbage.ts';
import { runReplicaSets } from './workloads/replica-sets/replica-sets.ts';
import { runStatefulSets } from './workloads/stateful-sets/stateful-sets.ts';

/** The controllers of a Kubernetes control plane, as far as nodes and the pods on them need them. */
export function startWorkloadControllers(options: ClusterControllerOptions): Stoppable {
  const control = new ClusterControlPlane(options);
  runNamespaces(control);
  runDeployments(control);
  runReplicaSets(control);
  runDaemonSets(control);
  runStatefulSets(control);
  runJobs(control);
  runCronJobs(control);
  runClaims(control);
  runEphemeralClaims(control);
  runDeviceClaims(control);
  runStorageProtection(control);
  runAttachments(control);
  runDisruptionBudgets(control);
  runNodeLifecycle(control);
  runTaintEviction(control);
  runPodGarbage(control);
  const custom = runGarbageCollector(control);
  control.open();
  return {
    stop: () => {
      control.stop();
      custom.stop();
    },
  };
}
