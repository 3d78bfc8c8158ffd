import { type Pod, pods, toTimestamp } from '@nodewright/apis';
import type { ClusterControlPlane } from '../control-plane/control-plane.ts';
import { patchPodStatus } from '../control-plane/writes.ts';
import { freePodAddress } from '../kubelets/pod-addresses.ts';
import { runningStatus } from '../kubelets/pod-status.ts';
import { playedScheduler } from './dns-manifests.ts';
import { storageControllerApp } from './ebs-add-on-manifests.ts';

/** Lets the pods of the cluster's DNS, and of the controller of its storage driver, run without a node. */
export function runPlayedPods(control: ClusterControlPlane): void {
  const { clock, client } = control.options;
  const known = control.watches.of(pods);
  const keys = control.controller('played pods', async (key) => {
    const pod = known.get(key);
    if (pod === undefined || !waitsToBePlayed(pod)) return undefined;
    const podIP = freePodAddress(known, pod.metadata.uid ?? '');
    const place = { hostIP: podIP, podIP, at: toTimestamp(clock.now()) };
    await patchPodStatus(client, pod, runningStatus(pod, place));
    return undefined;
  });
  known.onChange((_, pod) => {
    if (pod !== undefined && waitsToBePlayed(pod)) keys.add(`${pod.metadata.namespace}/${pod.metadata.name}`);
  });
}

const waitsToBePlayed = ({ metadata, spec, status }: Pod): boolean =>
  spec.schedulerName === playedScheduler &&
  (metadata.labels?.['k8s-app'] === 'kube-dns' || metadata.labels?.['app'] === storageControllerApp) &&
  metadata.deletionTimestamp === undefined &&
  status?.phase !== 'Running';
