import { ClusterControlPlane } from '../control-plane/control-plane.ts';
import type { ClusterControllerOptions, Stoppable } from '../control-plane/controller-options.ts';
import { runAttachments } from '../volumes/attachments.ts';
import { runClaims } from '../volumes/claims.ts';
import { runEphemeralClaims } from '../volumes/ephemeral-claims.ts';
import { runCronJobs } from './cron-jobs/cron-jobs.ts';
import { runDaemonSets } from './daemon-sets/daemon-sets.ts';
import { runDeployments } from './deployments/deployments.ts';
import { runDisruptionBudgets } from './disruption-budgets/disruption-budgets.ts';
import { runGarbageCollector } from './garbage/collector.ts';
import { runJobs } from './jobs/jobs.ts';
import { runNamespaces } from './namespaces.ts';
import { runNodeLifecycle } from './node-lifecycle/node-lifecycle.ts';
import { runTaintEviction } from './node-lifecycle/taint-eviction.ts';
import { runPodGarbage } from './pod-garbage.ts';
import { runReplicaSets } from './replica-sets.ts';
import { runStatefulSets } from './stateful-sets/stateful-sets.ts';

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
